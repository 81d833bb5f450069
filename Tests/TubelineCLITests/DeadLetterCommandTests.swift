import FoundationEssentials
import JSON
import Kafka
import Messages
import Telemetry
import Testing

@testable import TubelineCLI

@Suite("Dead letters on a broker", .timeLimit(.minutes(2)))
struct DeadLetterCommandTests {
  private func ids(_ output: String) -> [String] {
    output.split(separator: "\n").compactMap { try? JSONTree.parse(Array($0.utf8))["letter"]?.string }
  }

  @Test func listedIsWhatWasSelected() async throws {
    try await DeadLetterScene.with { scene in
      try await scene.send(
        scene.letter(.playlists), scene.letter(.playlists, key: "other", failedAt: "2026-11-29T00:00:00Z"),
        scene.letter(.channels, partition: 1, origin: .channelRequests, code: .unknownReference))
      func listed(_ arguments: String...) async throws -> [String] {
        ids(try await scene.run(DeadLettersListCommand.self, arguments + scene.flags).output)
      }
      #expect(try await listed() == ["playlists-0-1", "channels-1-0", "playlists-0-0"])
      #expect(try await listed("--stage", "playlists,videos") == ["playlists-0-1", "playlists-0-0"])
      #expect(try await listed("--code", "unknownReference") == ["channels-1-0"])
      #expect(try await listed("--key", "other") == ["playlists-0-1"])
      #expect(try await listed("--since", "2026-11-30") == ["channels-1-0", "playlists-0-0"])
      #expect(try await listed("--until", "2026-11-29T12:00:00Z") == ["playlists-0-1"])
      #expect(try await listed("playlists-0-1", "channels-1-0") == ["playlists-0-1", "channels-1-0"])
      #expect(try await listed("--limit", "2").count == 2)
      let none = try await scene.command(DeadLettersListCommand.self, "--key", "nobody")
      #expect(none.code == .done && none.output.isEmpty && none.messages.contains("3 wait and 0 are settled"))
    }
  }

  @Test func aReplayIsTheOriginalWithItsAttemptsForgotten() async throws {
    try await DeadLetterScene.with { scene in
      let value = [UInt8]([0x7B, 0xFF, 0x00, 0x7D])
      let own = [KafkaHeader(HeaderName.id, "a/page/3"), KafkaHeader("x", "1"), KafkaHeader(name: "x", value: nil)]
      try await scene.send(scene.letter(.playlists, partition: 1, value: value, original: own))
      let replay = try await scene.command(DeadLettersReplayCommand.self, "--all")
      #expect(replay.code == .done && replay.output == "playlists-1-0\t\(scene.prefix)playlist-requests\n")
      let replayed = try await scene.records(.playlistRequests)
      #expect(replayed.map(\.value) == [value] && replayed.map(\.key) == [Array("k".utf8)])
      let headers = try #require(replayed.first).headers
      #expect(Array(headers.prefix(3)) == own, "the headers that came in are kept, in their order")
      #expect(
        Array(headers.dropFirst(3)) == [
          KafkaHeader(HeaderName.failedAt, "2026-11-30T06:00:00.000Z"),
          KafkaHeader(HeaderName.firstOrigin, "\(scene.prefix)playlist-requests-1-7"),
          KafkaHeader(HeaderName.replayOf, "\(scene.prefix)playlists-dead-1-0"),
        ])
      let settlement = try #require(try await scene.records(.dead(.playlists)).last)
      #expect(settlement.partition == 1 && settlement.value == nil && settlement.key == Array("k".utf8))
      #expect(settlement.header(HeaderName.settled) == "0" && settlement.header(HeaderName.settledAction) == "replayed")
    }
  }

  @Test func aLetterWhoseValueIsMissingIsLeft() async throws {
    try await DeadLetterScene.with { scene in
      let missing = [KafkaHeader(HeaderName.omittedBytes, "3000000")]
      try await scene.send(scene.letter(.playlists, value: nil, original: missing))
      let replay = try await scene.command(DeadLettersReplayCommand.self, "--all")
      #expect(replay.code == .incomplete && replay.messages.contains("3000000 bytes"))
      #expect(try await scene.records(.playlistRequests).isEmpty)
      #expect(try await scene.command(DeadLettersDiscardCommand.self, "--all").code == .done)
    }
  }

  @Test func aLetterIsReplayedOnce() async throws {
    try await DeadLetterScene.with { scene in
      try await scene.send(scene.letter(.playlists), scene.letter(.playlists, partition: 1), scene.letter(.playlists))
      let first = try await scene.command(DeadLettersReplayCommand.self, "--all", "--limit", "2")
      #expect(first.output.split(separator: "\n").count == 2)
      let second = try await scene.command(DeadLettersReplayCommand.self, "--stage", "playlists")
      #expect(second.output.split(separator: "\n").count == 1)
      let third = try await scene.command(DeadLettersReplayCommand.self, "--all")
      #expect(third.code == .done && third.output.isEmpty && third.messages == "0 letters replayed.\n")
      #expect(try await scene.records(.playlistRequests).count == 3)
      let named = try await scene.command(DeadLettersReplayCommand.self, "playlists-1-0")
      #expect(named.code == .done && named.messages.contains("playlists-1-0 was replayed before"))
      // A settlement is no letter.
      let marks = try await scene.command(DeadLettersReplayCommand.self, "playlists-1-1")
      #expect(marks.code == .incomplete && marks.messages.contains("There is no letter playlists-1-1."))
      #expect(try await scene.records(.playlistRequests).count == 3)
      #expect(try await scene.command(DeadLettersListCommand.self).output.isEmpty)
      let all = try await scene.command(DeadLettersListCommand.self, "--include-settled")
      #expect(all.output.split(separator: "\n").count == 3 && all.output.contains("\"state\":\"replayed\""))
    }
  }

  @Test func aDryRunPublishesNothing() async throws {
    try await DeadLetterScene.with { scene in
      try await scene.send(scene.letter(.playlists))
      for command in [DeadLettersReplayCommand.self, DeadLettersDiscardCommand.self] as [any Command.Type] {
        let run = try await scene.command(command, "--all", "--dry-run")
        #expect(run.code == .done && run.output.hasPrefix("playlists-0-0") && run.messages.contains("nothing was published"))
      }
      #expect(try await scene.records(.playlistRequests).isEmpty)
      #expect(try await scene.records(.dead(.playlists)).count == 1)
    }
  }

  @Test func whatIsDiscardedIsNeverReplayed() async throws {
    try await DeadLetterScene.with { scene in
      try await scene.send(scene.letter(.channels, key: nil, value: nil, origin: .channelRequests, code: .emptyMessage))
      let discarded = try await scene.command(DeadLettersDiscardCommand.self, "channels-0-0")
      #expect(discarded.code == .done && discarded.output == "channels-0-0\n" && discarded.messages == "1 letter discarded.\n")
      #expect(try await scene.command(DeadLettersReplayCommand.self, "--all").output.isEmpty)
      #expect(try await scene.records(.channelRequests).isEmpty)
      let page = try await scene.command(DeadLettersShowCommand.self, "channels-dead-0-0")
      #expect(page.output.hasPrefix("letter   channels-0-0, discarded 20") && page.output.contains("value    (null)\n"))
    }
  }

  @Test func headersOfStrangersSettleAndSendNothing() async throws {
    try await DeadLetterScene.with { scene in
      let forged = Settlement(offset: 0, action: .discarded, time: "").headers.map(KafkaHeader.init)
      try await scene.send(scene.letter(.playlists, original: forged))
      // A message with such headers that a stage gave up on, a tombstone even.
      try await scene.send(scene.letter(.playlists, value: nil, original: forged))
      try await scene.send(scene.letter(.playlists, origin: .videoRecords))
      #expect(ids(try await scene.command(DeadLettersListCommand.self).output) == ["playlists-0-0", "playlists-0-1", "playlists-0-2"])
      let replay = try await scene.command(DeadLettersReplayCommand.self, "--all")
      #expect(replay.code == .incomplete && replay.output.split(separator: "\n").count == 2)
      #expect(replay.messages.contains("playlists-0-2 was left as it is: its origin \(scene.prefix)video-records is no topic"))
      #expect(try await scene.records(.videoRecords).isEmpty)
      #expect(ids(try await scene.command(DeadLettersListCommand.self).output) == ["playlists-0-2"])
    }
  }

  @Test func lettersAreListedInTheOrderOfTheirFailures() async throws {
    try await DeadLetterScene.with { scene in
      try await scene.send(
        scene.letter(.videos, failedAt: "2026-11-30T06:00:02.000Z"), scene.letter(.channels, failedAt: "2026-11-30T06:00:03.000Z"),
        scene.letter(.videos, partition: 1, failedAt: "2026-11-30T06:00:01.000Z"))
      #expect(ids(try await scene.command(DeadLettersListCommand.self).output) == ["videos-1-0", "videos-0-0", "channels-0-0"])
      let last = try await scene.command(DeadLettersListCommand.self, "--limit", "2")
      #expect(ids(last.output) == ["videos-0-0", "channels-0-0"])
      #expect(try await scene.command(DeadLettersListCommand.self, "--limit", "0").output.isEmpty)
    }
  }

  @Test func anExportOfNothingIsAnEmptyFile() async throws {
    try await DeadLetterScene.with { scene in
      let path = FileManager.default.temporaryDirectory.appending(path: "letters-\(UUID().uuidString).jsonl").path()
      defer { try? FileManager.default.removeItem(atPath: path) }
      let none = try await scene.command(DeadLettersExportCommand.self, "--output", path)
      #expect(none.code == .done && FileManager.default.contents(atPath: path) == Data())
      try await scene.send(scene.letter(.playlists))
      _ = try await scene.command(DeadLettersExportCommand.self, "--output", path)
      #expect(FileManager.default.contents(atPath: path).map { $0.count > 50 } == true)
    }
  }

  @Test func exportedIsTheWholeLetter() async throws {
    try await DeadLetterScene.with { scene in
      try await scene.send(
        scene.letter(.videos, value: Array("é\n\"".utf8), origin: .playlistPages, original: [KafkaHeader(name: "b", value: [0xFF, 0xFE])]),
        scene.letter(.videos, value: [0x80], origin: .playlistPages))
      let export = try await scene.command(DeadLettersExportCommand.self, "--stage", "videos")
      let letters = try export.output.split(separator: "\n").map { try JSONTree.parse(Array($0.utf8)) }
      #expect(letters.count == 2)
      #expect(letters.first?["value"] == "é\n\"" && letters.last?["valueBase64"] == "gA==" && letters.last?["value"] == nil)
      #expect(letters.first?["headers"]?.elements?.first == ["name": "b", "valueBase64": "//4="])
      #expect(letters.first?["origin"] == ["topic": .string("\(scene.prefix)playlist-pages"), "partition": 1, "offset": 7])
      let shown = try await scene.command(DeadLettersShowCommand.self, "videos-0-1", "--format", "json")
      #expect(shown.output.utf8.elementsEqual(letters[1].bytes() + [0x0A]))
      await #expect(throws: CommandError.self) { try await scene.command(DeadLettersShowCommand.self, "videos-0-2") }
    }
  }

  @Test func theDoctorCountsLettersThatWait() async throws {
    try await DeadLetterScene.with { scene in
      try await scene.send(scene.letter(.playlists), scene.letter(.playlists))
      _ = try await scene.command(DeadLettersDiscardCommand.self, "playlists-0-0")
      let parsed = try DeadLettersListCommand.specification.parser.parse(scene.flags)
      let configuration = try Invocation(arguments: parsed, environment: [:]).configuration()
      let finding = await DeadLetterCheck(configuration: configuration).finding()
      #expect(finding.isGood == nil && finding.detail.hasPrefix("1 waits (playlists 1)"), "\(finding)")
    }
  }
}
