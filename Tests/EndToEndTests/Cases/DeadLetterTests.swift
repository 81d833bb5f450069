import Glibc
import JSON
import Kafka
import Messages
import Testing

extension EndToEndTests {
  /// What becomes of messages that a stage gave up on, once somebody has mended the fault.
  @Suite(.serialized, .world(.init(settings: ["RETRY_DELAY": "100ms", "RETRY_ATTEMPTS": "3"], workers: 1)), .timeLimit(.minutes(4)))
  struct DeadLetterTests {
    private func command(_ arguments: String...) async throws -> StartedProgram {
      let program = try World.current.start("tubeline", ["dead-letters"] + arguments)
      try await program.ended(within: .seconds(60))
      return program
    }

    private func ending(_ program: StartedProgram) async throws -> Int32? {
      if case .exited(let code) = try await program.ended() { code } else { nil }
    }

    /// The token of a page of a playlist, as the stages ask for it.
    private func token(of page: Int, in playlist: String) async throws -> String {
      let world = try World.current
      var token = ""
      for _ in 1..<page {
        let suffix = token.isEmpty ? "" : "&pageToken=\(token)"
        let answer = try await world.stub.api("playlistItems?part=contentDetails&maxResults=50&playlistId=\(playlist)\(suffix)")
        token = try #require(answer["nextPageToken"]?.string)
      }
      return token
    }

    @Test func aPageThatFailedIsReplayedOnceAndItsRequestCompletes() async throws {
      let world = try World.current
      let truth = try await world.stub.truth("@Google")
      let page = try await token(of: 3, in: truth.uploadsPlaylistID)
      try await world.stub.fault(
        [
          "match": ["method": "playlistItems.list", "playlistId": .string(truth.uploadsPlaylistID), "pageToken": .string(page)],
          "count": -1, "status": 500, "reason": "backendError",
        ])
      let (id, failed) = try await world.outcome(["channel": "@Google"])
      #expect(failed["type"] == "failed" && failed["error"]?["code"] == "attemptsExhausted", "\(failed)")
      let letter = try await world.wait("the dead letter") { $0.messages[.dead(.playlists)]?.first { $0.requestID == id } }
      try await world.stub.clearFaults()

      let list = try await command("list", "--stage", "playlists", "--code", "attemptsExhausted", "--since", "1h")
      let listed = try list.output.map { try JSONTree.parse(Array($0.utf8)) }
      let name = "playlists-\(letter.record.partition)-\(letter.record.offset)"
      #expect(try await ending(list) == 0 && listed.map { $0["letter"]?.string } == [name], "\(list.output)")
      let show = try await command("show", name)
      #expect(show.output.contains { $0.hasPrefix("why      attemptsExhausted: Given up after 3 attempts.") }, "\(show.output)")

      let replay = try await command("replay", "--code", "attemptsExhausted")
      #expect(try await ending(replay) == 0 && replay.output == ["\(name)\t\(world.prefix)playlist-requests"], "\(replay.tail())")
      let completed = try await world.wait("the completion of \(id)") { $0.endings(id).dropFirst().first }
      #expect(completed["type"] == "completed", "\(completed)")
      let pages = (truth.listed + 49) / 50
      let totals: JSONTree = ["pages": .int(pages), "items": .int(truth.listed), "units": .int(1 + 2 * pages)]
      #expect(completed["totals"] == totals, "\(completed)")
      let records = try await world.records(id, truth.listed)
      #expect(records.count == truth.listed && Set(records.compactMap(\.key)).count == truth.listed, "each video once")

      let published = world.messages(.playlistRequests).count
      let again = try await command("replay", "--all")
      #expect(try await ending(again) == 0 && again.output.isEmpty, "\(again.output)")
      try await world.log.caughtUp()
      #expect(world.messages(.playlistRequests).count == published)
      #expect(world.log.state.read { $0.endings(id).count } == 2, "failed, then completed")
    }

    /// It named no requestId, so its place is its id; and it fails, is replayed, fails again, and is replayed again.
    @Test func aRequestKeepsItsIDThroughReplays() async throws {
      let world = try World.current
      let fault: JSONTree = ["match": ["method": "channels.list"], "count": -1, "status": 500, "reason": "backendError"]
      try await world.stub.fault(fault)
      let id = try await world.plain("@hidden-counts")
      #expect(try await world.ending(id)["type"] == "failed")
      let replay = try await command("replay", "--stage", "channels")
      #expect(try await ending(replay) == 0 && replay.output.count == 1, "\(replay.tail())")
      _ = try await world.wait("the second failure of \(id)") { $0.endings(id).dropFirst().first }
      try await world.stub.clearFaults()
      // The first letter is settled, the second waits.
      let second = try await command("replay", "--stage", "channels")
      #expect(try await ending(second) == 0 && second.output.count == 1, "\(second.tail())")
      let end = try await world.wait("the completion of \(id)") { $0.endings(id).dropFirst(2).first }
      let truth = try await world.stub.truth("@hidden-counts")
      #expect(end["type"] == "completed" && end["totals"]?["items"]?.int == truth.listed, "\(end)")
      #expect(try await world.records(id, truth.listed).count == truth.listed)
    }

    @Test func bytesThatAreNoRequestAreShownHarmlesslyAndDiscarded() async throws {
      let world = try World.current
      let value = Array("{\"channel\": \u{1B}]0;owned\u{7}\u{1B}[2J".utf8) + [0xFF]
      try await world.send(value, key: "\u{1B}[31m")
      let letter = try await world.wait("the dead letter") { $0.messages[.dead(.channels)]?.first { $0.record.value == value } }
      let name = "channels-\(letter.record.partition)-\(letter.record.offset)"
      let show = try await command("show", name)
      let text = show.output.joined(separator: "\n")
      #expect(try await ending(show) == 0 && text.contains("␛[2J<0xff>"), "\(text)")
      #expect(!text.unicodeScalars.contains { $0 != "\n" && ($0.value < 0x20 || (0x7F..<0xA0).contains($0.value)) })
      let discard = try await command("discard", name)
      #expect(try await ending(discard) == 0 && discard.output == [name])
      let list = try await command("list", name)
      #expect(try await ending(list) == 0 && list.output.isEmpty)
      #expect(try await ending(try await command("replay")) == 2, "which letters?")
    }

    /// Stopped again and again: by SIGTERM, and on a real cluster, whose transactions outlive the process, by SIGKILL.
    @Test func aReplayThatIsInterruptedDoublesNothing() async throws {
      let world = try World.current
      // No worker reads this origin.
      let letters = (0..<200).map { number in
        ProducerRecord(
          topic: world.prefix + Topic.dead(.search).name, key: Array("\(number)".utf8), value: Array("query \(number)".utf8),
          headers: [
            KafkaHeader(HeaderName.failedAt, "2026-11-30T06:00:00Z"), KafkaHeader(HeaderName.errorCode, "attemptsExhausted"),
            KafkaHeader(HeaderName.originTopic, world.prefix + Topic.searchRequests.name), KafkaHeader(HeaderName.originPartition, "0"),
            KafkaHeader(HeaderName.originOffset, "\(number)"),
          ])
      }
      try await world.producer.send(letters)
      var runs = 0
      var code: Int32?
      while code != 0, runs < 30 {
        let replay = try world.start("tubeline", ["dead-letters", "replay", "--stage", "search"])
        runs += 1
        if runs <= 5, (try? await replay.firstLine()) != nil { replay.send(World.realServers == nil ? SIGTERM : SIGKILL) }
        code = try await ending(replay)
        #expect(
          World.realServers != nil || code == 0 || code == 1 && replay.log.contains { $0.contains("Interrupted") }, "\(replay.tail())")
      }
      #expect(code == 0 && runs > 1, "\(runs) runs")
      try await world.log.caughtUp()
      let replayed = world.messages(.searchRequests).compactMap(\.key)
      #expect(replayed.count == 200 && Set(replayed).count == 200, "\(replayed.count) messages of \(Set(replayed).count) letters")
    }
  }
}
