import Foundation
import JSON
import Messages
import Processes
import Testing

extension EndToEndTests {
  /// What workers need is away for a while, and comes back.
  @Suite(.serialized, .timeLimit(.minutes(3)))
  struct OutageTests {
    private static let pages = 10

    /// Makes the API slow, asks for Google, and waits for some pages.
    private static func begin() async throws -> (String, StubControl.Truth) {
      let world = try World.current
      try await world.stub.fault(["count": -1, "delayMs": 100])
      let id = try await world.request(["channel": "@Google"])
      try await world.wait("\(pages) pages") { ($0.messages[.playlistPages]?.count ?? 0) >= pages ? true : nil }
      return (id, try await world.stub.truth("@Google"))
    }

    private static func everythingArrives(_ id: String, _ truth: StubControl.Truth) async throws {
      let world = try World.current
      let end = try await world.ending(id)
      #expect(end["type"] == "completed" && end["totals"]?["items"]?.int == truth.listed, "\(end)")
      #expect(Set(try await world.records(id, truth.listed).compactMap(\.key)).count == truth.listed)
      #expect(world.log.state.read { $0.endings(id) }.count == 1)
      #expect(world.deadLetters().isEmpty)
    }

    @Test(.needsRedis, .world())
    func nothingIsSpentWhileTheQuotaStoreIsAwayAndWorkGoesOnAfterwards() async throws {
      let world = try World.current
      let redis = try await world.startRedis(persists: true)
      try await world.startAll(settings: ["QUOTA_STORE": redis.address])
      let (id, truth) = try await Self.begin()
      redis.process.send(SIGKILL)
      try await redis.process.ended()
      for stage in [StageName.playlists, .videos] {
        try await #require(world.workers(stage).first).logged("\"quota.reason\":\"storeUnreachable\"")
      }
      let before = try await world.stub.statistics().units
      _ = try await world.request(["channel": "@Apple"])
      try await #require(world.workers(.channels).first).logged("\"quota.reason\":\"storeUnreachable\"")
      #expect(try await world.stub.statistics().units == before)
      _ = try await world.startRedis(persists: true)
      try await Self.everythingArrives(id, truth)
      for worker in world.workers() { #expect(worker.isRunning && !worker.log.contains { $0.contains("Partitions lost") }) }
    }

    @Test(.needsRedis, .world())
    func aLostLedgerIsNotBegunAgainInSilence() async throws {
      let world = try World.current
      let redis = try await world.startRedis()
      let settings = ["QUOTA_STORE": redis.address]
      try await world.startAll(settings: settings)
      let (id, truth) = try await Self.begin()
      redis.process.send(SIGKILL)
      try await redis.process.ended()
      _ = try await world.startRedis()
      for stage in [StageName.playlists, .videos] {
        let line = try await #require(world.workers(stage).first).logged("\"quota.reason\":\"dataLoss\"")
        #expect(line.contains("tubeline quota set default"), "it says what to do")
      }
      let before = try await world.stub.statistics().units["default"] ?? 0
      // Nor by a worker that has never seen the old ledger.
      try await world.start(.channels, settings: settings)
      _ = try await world.request(["channel": "@Apple"])
      for worker in world.workers(.channels) where worker.log.contains(where: { $0.contains("dataLoss") }) { #expect(worker.isRunning) }
      #expect(try await world.stub.statistics().units["default"] == before)
      let set = try world.start("tubeline", ["quota", "set", "default", "\(before)"], settings: settings)
      #expect(try await set.ended() == .exited(0), "\(set.tail())")
      try await Self.everythingArrives(id, truth)
    }

    @Test(.world(.init(settings: ["RETRY_STOPPED_DELAY": "300ms"], workers: 1)))
    func aKeyThatIsRevokedInTheMiddleStopsTheStagesUntilThereIsAGoodOne() async throws {
      let world = try World.current
      let (id, truth) = try await Self.begin()
      // In front of the delay, which is for ever.
      try await world.stub.clearFaults()
      try await world.stub.fault(["count": -1, "status": 400, "reason": "API_KEY_INVALID"])
      for stage in [StageName.playlists, .videos] {
        try await #require(world.workers(stage).first).logged("The stage is stopped until this is mended")
      }
      #expect(world.log.state.read { $0.endings(id) }.isEmpty)
      try await world.stub.clearFaults()
      try await Self.everythingArrives(id, truth)
      for stage in [StageName.playlists, .videos] {
        try await #require(world.workers(stage).first).logged("Going on after the trouble was mended")
      }
    }

    @Test(.world(.init(stub: ["--quota-search", "1"], partitions: 1, workers: 1)))
    func requestsThatWaitForSearchesDoNotHoldUpOthers() async throws {
      let world = try World.current
      let searches = try await withThrowingTaskGroup(of: String.self) { group in
        for word in ["nobody one", "nobody two", "nobody three"] {
          group.addTask { try await world.request(["channel": .string(word), "allowSearch": true]) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try await world.wait("postponed searches") { ($0.messages[.retry(.channels)]?.count ?? 0) >= 2 ? true : nil }
      let truth = try await world.stub.truth("@Apple")
      let (id, end) = try await world.outcome(["channel": "@Apple"])
      #expect(end["type"] == "completed")
      #expect(try await world.records(id, truth.listed).count == truth.listed)
      let ended = world.log.state.read { state in searches.filter { !state.endings($0).isEmpty } }
      #expect(ended.count == 1, "one search was left for the day")
      #expect(world.messages(.retry(.channels)).allSatisfy { $0.header("tubeline-attempt") == "0" })
      #expect(world.deadLetters().isEmpty)
      #expect(try await world.stub.statistics().units["search"] == 1)
    }

    @Test(.world(.init(stub: ["--quota-default", "12"], workers: 1)))
    func aWorkerThatWaitsForQuotaEndsCleanlyAndAtOnce() async throws {
      let world = try World.current
      _ = try await world.request(["channel": "@Google"])
      for stage in [StageName.playlists, .videos] { try await #require(world.workers(stage).first).logged("Waiting for quota") }
      for worker in world.workers() {
        worker.send(SIGTERM)
        #expect(try await worker.ended(within: .seconds(15)) == .exited(0), "\(worker.tail())")
      }
      let pages = world.messages(.playlistPages).count
      let before = try await world.stub.statistics().calls
      try await world.startAll()
      for stage in [StageName.playlists, .videos] { try await #require(world.workers(stage).last).logged("Waiting for quota") }
      #expect(try await world.stub.statistics().calls == before, "what was committed is not fetched again")
      try await world.log.caughtUp()
      #expect(world.messages(.playlistPages).count == pages)
    }
  }
}
