import JSON
import Messages
import TestSupport
import Testing

extension EndToEndTests {
  /// An API that fails in every way.
  @Suite(.serialized, .world(.init(settings: ["RETRY_DELAY": "200ms"], workers: 2)), .timeLimit(.minutes(5)))
  struct FaultTests {
    static let kinds = FaultKinds.all

    @Test func transientFaultsOfEveryKindLoseNothing() async throws {
      let world = try World.current
      for kind in Self.kinds {
        for method in ["channels.list", "playlistItems.list", "videos.list"] {
          var fault = kind
          fault["match"] = ["method": .string(method)]
          try await world.stub.fault(fault)
        }
      }
      let truth = try await world.stub.truth("@Google")
      let (id, end) = try await world.outcome(["channel": "@Google"], within: .seconds(150))
      #expect(end["type"] == "completed" && end["totals"]?["items"]?.int == truth.listed, "\(end)")
      let records = try await world.records(id, truth.listed)
      #expect(Set(records.compactMap(\.key)).count == truth.listed)
      #expect(world.deadLetters().isEmpty, "a transient fault is no reason to give up")
      #expect(world.log.state.read { $0.endings(id).count } == 1)
    }

    @Test func aPageThatAlwaysFailsIsReportedAndTheRestIsComplete() async throws {
      let world = try World.current
      let before = world.messages(.dead(.videos)).count
      let truth = try await world.stub.truth("@hidden-counts")
      // The first page's look-up: struck whenever its first video is asked for.
      let page = try await world.stub.api("playlistItems?part=contentDetails,status&playlistId=\(truth.uploadsPlaylistID)&maxResults=50")
      let video = (page["items"]?.elements ?? []).first { $0["status"]?["privacyStatus"] == "public" }?["contentDetails"]?["videoId"]?
        .string
      try await world.stub.fault(
        ["match": ["method": "videos.list", "id": .string(try #require(video))], "count": -1, "status": 500, "reason": "backendError"])
      let (id, end) = try await world.outcome(["channel": "@hidden-counts"])
      try await world.stub.clearFaults()
      #expect(end["type"] == "completed" && end["totals"]?["items"]?.int == truth.listed)
      try await world.log.caughtUp()
      let letters = world.messages(.dead(.videos)).dropFirst(before)
      #expect(letters.count == 1 && letters.first?.header("tubeline-error-code") == "attemptsExhausted")
      #expect(letters.first?.header("tubeline-attempt") == "6")
      #expect(letters.first?.json?["pageNumber"] == 1)
      let failed = world.log.state.read { $0.events[id] ?? [] }.filter { $0["type"] == "pageFailed" }
      #expect(failed.count == 1 && failed.first?["pageNumber"] == 1 && failed.first?["error"]?["code"] == "attemptsExhausted")
      let records = try await world.records(id, truth.listed - 50)
      #expect(Set(records.compactMap(\.key)).count == truth.listed - 50, "the other page's records are there")
    }

    @Test func aListingThatAlwaysFailsEndsAsFailed() async throws {
      let world = try World.current
      let truth = try await world.stub.truth("@hidden-counts")
      try await world.stub.fault(
        ["match": ["method": "playlistItems.list", "playlistId": .string(truth.uploadsPlaylistID)], "count": -1, "action": "reset"])
      let (id, end) = try await world.outcome(["channel": "@hidden-counts"])
      try await world.stub.clearFaults()
      #expect(end["type"] == "failed" && end["error"]?["code"] == "attemptsExhausted", "\(end)")
      let letter = try await world.wait("the dead letter") { $0.messages[.dead(.playlists)]?.first { $0.requestID == id } }
      #expect(letter.header("tubeline-origin-topic") == world.prefix + "channel-details")
    }

    /// 200 answers that are not what the API documents: cut, mistyped, and with pieces exchanged.
    @Test func noAnswerOfTheAPIKillsAWorker() async throws {
      let world = try World.current
      let seed = UInt64.random(in: 0 ... .max)
      print("malformed answers: seed \(seed)")
      var mutator = Mutator(seed: seed)
      let apple = try await world.stub.truth("@Apple")
      let paths = [
        "channels.list": "channels?part=snippet,contentDetails,statistics&id=\(apple.channelID)",
        "playlistItems.list": "playlistItems?part=snippet,contentDetails,status&maxResults=5&playlistId=\(apple.uploadsPlaylistID)",
        "videos.list": "videos?part=snippet,contentDetails,statistics,status&chart=mostPopular&maxResults=3",
      ]
      var answers: [String: JSONTree] = [:]
      for (method, path) in paths { answers[method] = try await world.stub.api(path) }
      for number in 0..<200 {
        let method = Array(answers.keys).sorted()[number % answers.count]
        let body = String(decoding: mutator.mutated(answers[method] ?? .null), as: UTF8.self)
        let status = number % 5 == 0 ? 400 + Int(mutator.next() % 150) : 200
        try await world.stub.fault(["match": ["method": .string(method)], "status": .int(status), "body": .string(body)])
      }
      var ids: [String] = []
      for number in 0..<60 { ids.append(try await world.request(["channel": number % 2 == 0 ? "@hidden-counts" : "@日本語チャンネル"])) }
      for id in ids { _ = try await world.ending(id, within: .seconds(150)) }
      try await world.stub.clearFaults()
      #expect(world.workers().allSatisfy { $0.isRunning }, "seed \(seed)")
      let truth = try await world.stub.truth("@hidden-counts")
      let (id, end) = try await world.outcome(["channel": "@hidden-counts"])
      #expect(end["type"] == "completed")
      #expect(try await world.records(id, truth.listed).count >= truth.listed, "afterwards all is as before")
    }
  }
}
