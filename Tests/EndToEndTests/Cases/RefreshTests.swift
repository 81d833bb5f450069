import Foundation
import Glibc
import JSON
import Messages
import Quota
import QuotaStores
import Testing

extension EndToEndTests {
  /// Requests that read no further than what an earlier one has published.
  @Suite(.serialized, .timeLimit(.minutes(4)))
  struct RefreshTests {
    private static let settings = ["LOG_LEVEL": "debug"]
    private static let lookBack = 25

    @Test(.world(.init(settings: settings, workers: 1)))
    func threeNewVideosCostTwoUnitsAndTheLookUp() async throws { try await Self.refreshOfAThousandVideos() }

    @Test(.world(.init(settings: settings, workers: 1, usesRedis: true)))
    func watermarksInRedisDoTheSame() async throws { try await Self.refreshOfAThousandVideos() }

    private static func refreshOfAThousandVideos() async throws {
      let world = try World.current
      let truth = try await world.stub.truth("@Google")
      #expect(truth.listed == 1636)
      // Without a watermark a refresh is a full pass.
      let first = try await outcome(["channel": "@Google", "since": "last"])
      #expect(first.ending["totals"] == ["pages": 33, "items": 1636, "units": 67], "\(first.ending)")
      #expect(first.ending["truncatedBy"] == nil)
      #expect(try await world.records(first.id, 1636).count == 1636)

      let known = try await listed(truth, lookBack)
      try await world.stub.send("POST", "videos", ["channelId": .string(truth.channelID), "add": 3])
      try await world.stub.send("POST", "reset")
      let refresh = try await outcome(["channel": "@Google", "since": "last"])
      #expect(refresh.ending["type"] == "completed" && refresh.ending["truncatedBy"] == "since")
      #expect(refresh.ending["totals"] == ["pages": 1, "items": 28, "units": 3], "\(refresh.ending)")
      let calls = try await world.stub.statistics()
      #expect(calls.calls == ["channels.list": 1, "playlistItems.list": 1, "videos.list": 1])
      #expect(calls.units["default"] == 3)
      let records = try await world.records(refresh.id, 28)
      let added = try await listed(truth, 3)
      #expect(records.count == 28 && Set(records.compactMap(\.key)) == Set(added + known))

      // Once more, with nothing new; then the whole list, which is possible at any time.
      #expect(try await Set(published(["channel": "@Google", "since": "last", "enrich": false])) == Set(added + known.prefix(22)))
      let full = try await outcome(["channel": "@Google", "enrich": false])
      #expect(full.ending["totals"]?["items"] == 1639 && full.ending["truncatedBy"] == nil)
    }

    @Test(.world(.init(settings: settings, workers: 1)))
    func deletedVideosDoNotHideTheKnownPart() async throws {
      let world = try World.current
      let truth = try await world.stub.truth("@Apple")
      _ = try await outcome(["channel": "@Apple"])
      let newest = try await listed(truth, 40)
      try await world.stub.send(
        "POST", "videos",
        ["channelId": .string(truth.channelID), "add": 2, "remove": .array(newest.prefix(10).map { .string($0) })])
      let added = try await listed(truth, 2)
      #expect(
        try await Set(published(["channel": "@Apple", "since": "last"])) == Set(added + newest.dropFirst(10).prefix(Self.lookBack)))
    }

    @Test(.world(.init(settings: settings, workers: 1)))
    func aRefreshWhoseWorkersAreKilledFindsAllThatIsNew() async throws {
      let world = try World.current
      let truth = try await world.stub.truth("@Google")
      _ = try await outcome(["channel": "@Google", "enrich": false])
      try await world.stub.send("POST", "videos", ["channelId": .string(truth.channelID), "add": 170])
      try await world.stub.fault(["count": -1, "delayMs": 300])
      let id = try await world.request(["channel": "@Google", "since": "last"])
      try await world.wait("two pages") { state in
        (state.messages[.playlistPages] ?? []).lazy.filter { $0.requestID == id }.count >= 2 ? true : nil
      }
      for stage in [StageName.playlists, .videos] {
        for worker in world.workers(stage) { worker.send(SIGKILL) }
        try await world.start(stage)
      }
      let end = try await world.ending(id)
      #expect(end["type"] == "completed" && end["truncatedBy"] == "since" && end["totals"]?["items"] == 195, "\(end)")
      #expect(try await Set(world.records(id, 195).compactMap(\.key)) == Set(listed(truth, 195)))
      try await Self.remembered(id)
      try await world.stub.clearFaults()
      #expect(try await Set(published(["channel": "@Google", "since": "last"])) == Set(listed(truth, Self.lookBack)))
    }

    // Its records are published, and the watermark may not have moved: then they come once more, and nothing is left out.
    @Test(.world(.init(settings: settings, workers: 1)))
    func aWorkerThatIsKilledWhenTheRequestCompletesLeavesNothingOut() async throws {
      let world = try World.current
      let truth = try await world.stub.truth("@Apple")
      _ = try await outcome(["channel": "@Apple", "enrich": false])
      for round in 1...3 {
        try await world.stub.send("POST", "videos", ["channelId": .string(truth.channelID), "add": 2])
        let id = try await world.request(["channel": "@Apple", "since": "last", "enrich": false])
        _ = try await world.ending(id)
        for worker in world.workers(.videos) where worker.isRunning { worker.send(SIGKILL) }
        try await world.start(.videos)
        try await world.stub.send("POST", "videos", ["channelId": .string(truth.channelID), "add": 1])
        let next = try await Set(published(["channel": "@Apple", "since": "last", "enrich": false]))
        let top = try await listed(truth, 3 + Self.lookBack)
        #expect(next == Set(top) || next == Set(top.prefix(1 + Self.lookBack)), "round \(round): \(next.count)")
      }
    }

    @Test(.world(.init(settings: settings)))
    func aHarvestWritesWhatIsNewSinceTheLastOne() async throws {
      let world = try World.current
      let truth = try await world.stub.truth("@Apple")
      let first = try await harvest(world, "first.jsonl", ["@Apple", "--since", "last"])
      #expect(first.count == truth.listed)
      try await world.stub.send("POST", "videos", ["channelId": .string(truth.channelID), "add": 3])
      let second = try await harvest(world, "second.jsonl", ["@Apple", "--since", "last", "--refresh-lookback", "5"])
      #expect(second.count == 8)
      #expect(try await Set(second) == Set(listed(truth, 8)))
      // What is gone with the harvest's broker is not known to a cluster's requests.
      let cluster = try await QuotaStoreURL.openWatermarks(world.settings["QUOTA_STORE"] ?? "", scope: world.prefix)
      #expect(try await cluster.read(truth.uploadsPlaylistID).watermark == nil)
      await cluster.close()
    }

    @Test(.world(.init(settings: settings, workers: 1)))
    func publishAsksForWhatIsNewToo() async throws {
      let world = try World.current
      let truth = try await world.stub.truth("@Apple")
      _ = try await outcome(["channel": "@Apple", "enrich": false])
      let publish = try world.start("tubeline", ["publish", "@Apple", "--since", "last", "--no-enrich"])
      #expect(try await publish.ended() == .exited(0), "\(publish.tail())")
      let end = try await world.ending(try #require(publish.output.first))
      #expect(end["truncatedBy"] == "since" && end["totals"]?["items"]?.int == min(Self.lookBack, truth.listed), "\(end)")
      let wrong = try world.start("tubeline", ["publish", "@Apple", "--since", "yesterday"])
      #expect(try await wrong.ended() == .exited(2))
    }

    private func harvest(_ world: World, _ file: String, _ arguments: [String]) async throws -> [String] {
      let path = "\(world.folder)/\(file)"
      let harvest = try world.start("tubeline", ["harvest", "--output", path] + arguments)
      let ending = try await harvest.ended(within: .seconds(100))
      #expect(ending == .exited(0), "\(harvest.tail(30))")
      return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        .compactMap { try JSONTree.parse(Array($0.utf8))["videoId"]?.string }
    }

    private func outcome(_ request: JSONTree) async throws -> (id: String, ending: JSONTree) { try await Self.outcome(request) }
    private func published(_ request: JSONTree) async throws -> [String] { try await Self.published(request) }
    private func listed(_ truth: StubControl.Truth, _ count: Int) async throws -> [String] { try await Self.listed(truth, count) }

    /// The end of a request, and of the step after it.
    private static func outcome(_ request: JSONTree) async throws -> (id: String, ending: JSONTree) {
      let result = try await World.current.outcome(request)
      try await remembered(result.id)
      return result
    }

    private static func remembered(_ id: String) async throws {
      guard let worker = try World.current.workers(.videos).last(where: \.isRunning) else { throw Unmet("no videos worker runs") }
      _ = try await worker.state.wait(within: .seconds(30)) { state in
        state.log.contains { $0.contains("Listing remembered") && $0.contains(id) } ? true : nil
      }
    }

    /// The videos of all records of a request.
    private static func published(_ request: JSONTree) async throws -> [String] {
      let (id, ending) = try await outcome(request)
      return try await World.current.records(id, ending["totals"]?["items"]?.int ?? -1).compactMap(\.key)
    }

    /// What the API lists first.
    private static func listed(_ truth: StubControl.Truth, _ count: Int) async throws -> [String] {
      var ids: [String] = []
      var token = ""
      repeat {
        let page = try await World.current.stub.api(
          "playlistItems?part=contentDetails&playlistId=\(truth.uploadsPlaylistID)&maxResults=50\(token)")
        ids += (page["items"]?.elements ?? []).compactMap { $0["contentDetails"]?["videoId"]?.string }
        token = page["nextPageToken"]?.string.map { "&pageToken=\($0)" } ?? ""
      } while ids.count < count && !token.isEmpty
      return Array(ids.prefix(count))
    }
  }
}
