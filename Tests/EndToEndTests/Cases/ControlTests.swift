import Foundation
import Glibc
import JSON
import Messages
import Telemetry
import Testing

extension EndToEndTests {
  /// Requests that are cancelled or expire, and what `tubeline status` tells.
  @Suite(.serialized, .timeLimit(.minutes(3)))
  struct ControlTests {
    @Test(.world(.init(stub: ["--quota-default", "6"], workers: 1)))
    func aRequestThatWaitsForQuotaIsCancelledForGood() async throws {
      let world = try World.current
      let id = try await Self.waitingForQuota()
      let spent = try await world.stub.statistics().units["default"]
      let status = try await Self.status()
      #expect(Self.request(id, status)?["state"] == "running", "\(status)")
      #expect(Self.workers(.playlists, status).first?["state"] == "waitingForQuota", "\(status)")
      #expect(Self.workers(.playlists, status).first?["waitingForQuota"]?["default"]?["reason"]?.string != nil)
      #expect(status["quota"]?.elements?.first?["exhausted"] == true)
      let began = ContinuousClock.now
      try await Self.cancel(id)
      #expect(ContinuousClock.now - began < .seconds(15))
      #expect(Self.request(id, try await Self.status())?["state"] == "cancelled")
      try await Self.restart(SIGTERM)
      try await Self.grantQuota()
      try await Self.staysCancelled(id, spent: spent)
    }

    /// The orders are read before anything else.
    @Test(.world(.init(stub: ["--quota-default", "6"], workers: 1)))
    func aRequestThatIsCancelledWhileNoWorkerRunsDoesNotComeBack() async throws {
      let world = try World.current
      let id = try await Self.waitingForQuota()
      let spent = try await world.stub.statistics().units["default"]
      for worker in world.workers() { worker.send(SIGKILL) }
      for worker in world.workers() { try await worker.ended() }
      try await Self.tubeline(["cancel", id])
      try await Self.grantQuota()
      try await world.startAll()
      #expect(try await world.ending(id)["type"] == "cancelled")
      try await Self.staysCancelled(id, spent: spent)
    }

    @Test(.world(.init(workers: 2)))
    func aRequestIsCancelledInTheMiddleOfItsPages() async throws {
      let world = try World.current
      let truth = try await world.stub.truth("@Google")
      try await world.stub.fault(["count": -1, "delayMs": 150])
      let id = try await world.request(["channel": "@Google"])
      try await world.wait("four pages") { state in
        (state.events[id] ?? []).count { $0["type"] == "page" } >= 4 ? true : nil
      }
      try await Self.cancel(id)
      try await world.stub.clearFaults()
      try await Self.settled()
      let spent = try await world.stub.statistics().units["default"]
      let end = try await world.ending(id)
      #expect(end["type"] == "cancelled" && (end["totals"]?["units"]?.int ?? 0) > 0, "\(end)")
      let status = try #require(Self.request(id, try await Self.status([id])))
      let resolved = world.log.state.read { $0.events[id]?.first { $0["type"] == "resolved" } }
      let events = world.log.state.read { $0.events[id] ?? [] }.filter { $0["type"] == "page" }
      #expect(status["state"] == "cancelled" && status["expected"] == resolved?["videoCount"], "\(status)")
      #expect(status["videos"]?.int == events.reduce(0) { $0 + ($1["records"]?.int ?? 0) })
      #expect((status["units"]?.int ?? 0) >= 2 * events.count, "page events carry the listing's sums")
      let records = world.log.state.read { $0.records[id] ?? [] }
      #expect(records.count < truth.listed)
      try await Self.staysCancelled(id, spent: spent)
    }

    @Test(.world(.init(settings: ["QUOTA_DAILY_UNITS": "3"], workers: 1)))
    func aRequestExpiresWhileItWaitsForQuota() async throws {
      let world = try World.current
      let expiry = Date().addingTimeInterval(8)
      let id = try await world.request(["channel": "@Google", "expiresAt": .string(Timestamp.rfc3339(expiry))])
      let worker = try #require(world.workers(.playlists).first)
      try await worker.logged("Waiting for quota")
      let end = try await world.ending(id, within: .seconds(30))
      #expect(end["type"] == "expired", "\(end)")
      #expect((end["at"]?.string ?? "") >= Timestamp.rfc3339(expiry), "\(end)")
      #expect(try await world.stub.statistics().units["default"] == 3)
      try await Self.settled()
      #expect(world.log.state.read { $0.endings(id).count } == 1)
      #expect(Self.request(id, try await Self.status())?["state"] == "expired")
    }

    @Test(
      .world(
        .init(settings: ["BREAKER_FAILURES": "3", "BREAKER_DELAY": "1s", "WORKER_ID": "one"], stub: ["--channels", "16"], workers: 1)))
    func anOpenBreakerIsShown() async throws {
      let world = try World.current
      try await world.stub.fault(["match": ["method": "channels.list"], "count": -1, "status": 503, "reason": "backendError"])
      var ids: [String] = []
      for number in 0..<6 { ids.append(try await world.request(["channel": .string("@stub-channel-\(number)"), "scope": "details"])) }
      try await Self.reported { $0["stage"] == "channels" && $0["outage"]?.string != nil }
      let status = try await Self.status()
      let worker = try #require(Self.workers(.channels, status).first)
      #expect(
        worker["worker"] == "one" && worker["state"] == "breakerOpen" && worker["outage"]?.string?.contains("503") == true, "\(worker)")
      let stage = status["stages"]?.elements?.first { $0["stage"] == "channels" }
      #expect(stage?["members"] == 1 && (stage?["lag"]?.int ?? 0) + (stage?["retries"]?.int ?? 0) >= 4, "\(status)")
      #expect(ids.allSatisfy { Self.request($0, status)?["state"] == "waiting" }, "\(status)")
      let seen = world.messages(.workerStatus).count
      try await world.stub.clearFaults()
      for id in ids { #expect(try await world.ending(id)["type"] == "completed") }
      try await Self.reported(after: seen) { $0["stage"] == "channels" && $0["outage"] == nil }
      #expect(Self.workers(.channels, try await Self.status()).first?["state"]?.string != "breakerOpen")
      let ended = try #require(world.workers(.channels).first)
      ended.send(SIGTERM)
      #expect(try await ended.ended() == .exited(0))
      #expect(Self.workers(.channels, try await Self.status()).isEmpty, "a worker that ended is not shown")
    }

    /// Publishes a request and returns when its pages wait for quota that the API says is used up.
    private static func waitingForQuota() async throws -> String {
      let world = try World.current
      let id = try await world.request(["channel": "@Google"])
      try await reported { $0["stage"] == "playlists" && $0["waitingForQuota"]?["default"] != nil }
      try await world.log.caughtUp()
      return id
    }

    /// Waits for a worker's report.
    private static func reported(after seen: Int = 0, _ isMeant: @escaping @Sendable (JSONTree) -> Bool) async throws {
      try await World.current.wait("a worker's report") { state in
        (state.messages[.workerStatus] ?? []).dropFirst(seen).contains { $0.json.map(isMeant) ?? false } ? true : nil
      }
    }

    @discardableResult
    private static func tubeline(_ arguments: [String]) async throws -> [String] {
      let program = try World.current.start("tubeline", arguments)
      #expect(try await program.ended() == .exited(0), "\(program.tail())")
      return program.output
    }

    private static func cancel(_ id: String) async throws {
      #expect(try await tubeline(["cancel", "--wait", id]) == [id])
    }

    private static func status(_ ids: [String] = []) async throws -> JSONTree {
      let lines = try await tubeline(["status", "--format", "json"] + ids)
      return try JSONTree.parse(Array((lines.first ?? "").utf8))
    }

    private static func request(_ id: String, _ status: JSONTree) -> JSONTree? {
      status["requests"]?.elements?.first { $0["request"]?.string == id }
    }

    private static func workers(_ stage: StageName, _ status: JSONTree) -> [JSONTree] {
      status["stages"]?.elements?.first { $0["stage"]?.string == stage.rawValue }?["workers"]?.elements ?? []
    }

    private static func restart(_ signal: Int32) async throws {
      let world = try World.current
      let old = world.workers()
      for worker in old { worker.send(signal) }
      for worker in old { #expect(try await worker.ended() == .exited(0)) }
      try await world.startAll()
    }

    /// Both the stub and the ledger have units again.
    private static func grantQuota() async throws {
      try await World.current.stub.send("POST", "quota", ["default": 10_000])
      try await tubeline(["quota", "clear", "default"])
    }

    /// Returns when every stage has committed all that it was given.
    private static func settled() async throws {
      let deadline = ContinuousClock.now + .seconds(30)
      while ContinuousClock.now < deadline {
        let status = try await status()
        if (status["stages"]?.elements ?? []).allSatisfy({ $0["lag"] == 0 && $0["retries"] == 0 }) {
          return try await World.current.log.caughtUp()
        }
      }
      throw Unmet("the stages have not committed everything", known: try World.current.summary())
    }

    /// While another request is done from beginning to end, this one costs nothing and says nothing.
    private static func staysCancelled(_ id: String, spent: Int?) async throws {
      let world = try World.current
      let other = try await world.request(["channel": "@hidden-counts"])
      let end = try await world.ending(other)
      #expect(end["type"] == "completed")
      try await settled()
      let units = try await world.stub.statistics().units["default"]
      #expect(units == (spent ?? 0) + (end["totals"]?["units"]?.int ?? 0), "nothing is spent on a cancelled request")
      #expect(world.log.state.read { $0.endings(id) }.map { $0["type"]?.string } == ["cancelled"])
    }
  }
}
