import Foundation
import JSON
import Messages
import Quota
import QuotaStores
import Telemetry
import TestSupport
import Testing

extension EndToEndTests {
  /// One ledger for all processes.
  @Suite(.serialized, .timeLimit(.minutes(3)))
  struct QuotaTests {
    @Test(.needsRedis, .world(.init(stub: ["--channels", "100", "--videos", "0"], workers: 2, usesRedis: true)))
    func unitsAreTheLowerBoundAndTheLedgerCountsThem() async throws {
      let world = try World.current
      var truths: [StubControl.Truth] = []
      for handle in ["@Apple", "@Google", "@Microsoft"] { truths.append(try await world.stub.truth(handle)) }
      var requests: [String] = []
      for truth in truths { requests.append(try await world.request(["id": .string(truth.channelID)])) }
      var units = 0
      for request in requests { units += try await world.ending(request)["totals"]?["units"]?.int ?? 0 }
      let pages = truths.reduce(0) { $0 + ($1.listed + 49) / 50 }
      let statistics = try await world.stub.statistics()
      #expect(statistics.calls["playlistItems.list"] == pages && statistics.calls["videos.list"] == pages, "\(statistics.calls)")
      #expect((1...3).contains(statistics.calls["channels.list", default: 0]) && statistics.units["search"] == 0, "\(statistics)")
      #expect(units == 3 + 2 * pages, "what each would cost alone")
      #expect(try await Self.spent(world) == statistics.units["default"], "the ledger counts what the API does")
      for worker in world.workers() {
        #expect(worker.log.count { $0.contains("Redis keeps no append-only file") } == 1, "\(worker.tail())")
      }
      try await Self.idsAreLookedUpTogether(world)
    }

    private static func idsAreLookedUpTogether(_ world: World) async throws {
      try await world.stub.send("POST", "reset")
      let before = try await spent(world)
      let ids = try await world.stub.truths().map(\.channelID).suffix(100)
      var requests: [String] = []
      for id in ids { requests.append(try await world.request(["id": .string(id), "scope": "details"])) }
      for request in requests { #expect(try await world.ending(request)["type"] == "completed") }
      let calls = try await world.stub.statistics().calls["channels.list", default: 0]
      print("100 channel ids took \(calls) calls of channels.list")
      #expect(calls <= 50)
      #expect(try await spent(world) - before == calls)
    }

    private static func status(_ world: World, limit: Int = 10_000) async throws -> BucketStatus {
      let store = try await QuotaStoreURL.open(world.settings["QUOTA_STORE"] ?? "", calendar: .pacific())
      let status = try await store.status(QuotaPolicy(limits: [.default: limit])).first { $0.bucket == .default }
      await store.close()
      return try #require(status)
    }

    private static func spent(_ world: World) async throws -> Int { try await status(world).spent }

    /// The ledger's clock stands shortly before midnight in Los Angeles (07:00 UTC in summer), whatever the workers' clocks say.
    @Test(.needsRedis, .needsFakeTime, .world())
    func workersWaitForTheResetInTheirGroupsAndGoOnAtIt() async throws {
      let world = try World.current
      let ports = try World.stages.map { _ in try FreePort.find() }
      let settings = [
        "QUOTA_STORE": "unix://\(world.folder)/redis.sock", "QUOTA_DAILY_UNITS": "10", "KAFKA_MAX_POLL_INTERVAL_MS": "10000",
      ]
      for (stage, port) in zip(World.stages, ports) {
        for more in [["HTTP_PORT": "\(port)"], [:]] {
          _ = try world.start("tubeline-\(stage.rawValue)", settings: settings.merging(more) { $1 })
        }
      }
      for worker in world.workers() { try await worker.joined() }
      let midnight = ContinuousClock.now + .seconds(25)
      _ = try await world.startRedis(clock: "2026-07-01 06:59:35")
      let truth = try await world.stub.truth("@Apple")
      let id = try await world.request(["channel": "@Apple"])
      let waiting = try await Self.firstWaiting(world.workers())
      let beganWaiting = ContinuousClock.now
      #expect(waiting.contains("usedUp"))
      try await world.stub.spends(10)
      for port in ports {
        #expect(try await HTTP.send("GET", "http://127.0.0.1:\(port)/readyz").status == 200, "waiting for quota is being ready")
      }
      let end = try await world.ending(id)
      let ended = ContinuousClock.now
      #expect(ended >= midnight, "nothing is spent before the reset")
      #expect(ended - beganWaiting > .seconds(11), "the wait was longer than max.poll.interval.ms")
      #expect(end["type"] == "completed" && end["totals"]?["items"]?.int == truth.listed)
      #expect(try await world.records(id, truth.listed).count == truth.listed)
      #expect(try await world.stub.statistics().units["default"] == 1 + 2 * ((truth.listed + 49) / 50))
      #expect(world.deadLetters().isEmpty)
      for worker in world.workers() {
        #expect(worker.isRunning)
        #expect(!worker.log.contains { $0.contains("maximum poll interval") || $0.contains("Partitions lost") }, "\(worker.tail())")
      }
    }

    private static func firstWaiting(_ workers: [StartedProgram]) async throws -> String {
      try await withThrowingTaskGroup(of: String?.self) { group in
        for worker in workers {
          group.addTask {
            try await worker.state.wait(within: .seconds(20)) { state in
              state.log.first { $0.contains("Waiting for quota") && $0.contains("usedUp") }
            }
          }
        }
        defer { group.cancelAll() }
        while let line = try await group.next() { if let line { return line } }
        throw Unmet("no worker waits for quota", known: workers.map { $0.tail() }.joined(separator: "\n"))
      }
    }

    @Test(.world(.init(stub: ["--quota-default", "6"], workers: 1)))
    func theWordOfTheAPIStopsAllWorkers() async throws {
      let world = try World.current
      _ = try await world.request(["channel": "@Google"])
      let channels = try #require(world.workers(.channels).first)
      let listing = try #require(world.workers(.playlists).first)
      let lookUp = try #require(world.workers(.videos).first)
      for worker in [listing, lookUp] { try await worker.logged("Waiting for quota") }
      // A request that comes now is not even tried.
      let before = try await world.stub.statistics()
      _ = try await world.request(["channel": "@Apple"])
      #expect(try await channels.logged("Waiting for quota").contains("exhaustedByAPI"))
      let after = try await world.stub.statistics()
      // What was on its way when the first refusal came is refused, too, and nothing more.
      #expect(after.units["default"] == 6 && (1...32).contains(after.rejected), "\(after)")
      #expect(after.calls == before.calls)
      let status = try await Self.status(world)
      #expect(status.isExhausted && status.remaining == 0, "\(status)")
      // In the first minutes after midnight in Los Angeles the API may still count the day before, which is no drift.
      let isEarly = status.resetsAt.timeIntervalSinceNow > 86_400 - 700
      #expect(status.drift > 0 || isEarly, "\(status)")
      try await world.log.caughtUp()
      #expect(world.deadLetters().isEmpty)
      #expect(world.log.state.read { $0.messages[.requestEvents] ?? [] }.allSatisfy { $0.json?["type"] != "failed" })
    }
  }
}
