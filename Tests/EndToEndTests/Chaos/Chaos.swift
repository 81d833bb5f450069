import Foundation
import JSON
import Messages
import Processes
import Quota
import QuotaStores
import Testing

/// One run of chaos: does to the processes, the broker, the store and the API what the plan says, and counts it.
final class Chaos: Sendable {
  struct Counts: Sendable {
    var actions: [String: Int] = [:]
    var killed = 0
    var faults = 0
    var exits: [ChildProcess.Ending] = []
  }

  static let workers = 2
  static let mostWorkers = 4
  static let dailyUnits = 50_000

  let world: World
  let counts = Monitor(Counts())
  private let storeSettings: [String: String]
  private let redis: Monitor<RedisServer>

  init(_ world: World) async throws {
    self.world = world
    let redis = try await world.startRedis(persists: true)
    storeSettings = ["QUOTA_STORE": redis.address, "QUOTA_DAILY_UNITS": "\(Self.dailyUnits)"]
    self.redis = Monitor(redis)
    for stage in World.stages { for _ in 0..<Self.workers { try start(stage) } }
    for worker in world.workers() { try await worker.joined() }
  }

  private func start(_ stage: StageName) throws { _ = try world.start("tubeline-\(stage.rawValue)", settings: storeSettings) }

  private func running(_ stage: StageName) -> [StartedProgram] { world.workers(stage).filter(\.isRunning) }

  func perform(_ action: ChaosPlan.Action) async throws {
    let name = "\(action)".prefix { $0 != "(" }
    counts.update { $0.actions[String(name), default: 0] += 1 }
    switch action {
    case .kill(let stage):
      guard let victim = running(stage).randomElement() else { return }
      counts.update { $0.killed += 1 }
      victim.send(SIGKILL)
      try start(stage)
    case .terminate(let stage):
      guard let victim = running(stage).first else { return }
      try start(stage)
      await end(victim)
    case .add(let stage): if running(stage).count < Self.mostWorkers { try start(stage) }
    case .remove(let stage):
      let workers = running(stage)
      if workers.count > 1, let victim = workers.last { await end(victim) }
    case .restartStore(let milliseconds): try await restartStore(after: .milliseconds(milliseconds))
    case .loseStore: try await loseStore()
    case .faults(let kind, let method, let count): try await fault(FaultKinds.all[kind], method, count)
    case .slowness(let milliseconds, let count):
      try await world.stub.fault(["match": [:], "count": .int(count), "delayMs": .int(milliseconds)])
    case .brokerErrors(let request, let codes): try world.cluster?.pushErrors(apiKey: request, codes)
    case .brokerDelay(let milliseconds, let length):
      try world.cluster?.setRoundTripTime(.milliseconds(milliseconds))
      try await Task.sleep(for: .milliseconds(length))
      try world.cluster?.setRoundTripTime(.zero)
    }
  }

  private func fault(_ kind: JSONTree, _ method: String, _ count: Int) async throws {
    var fault = kind
    fault["match"] = ["method": .string(method)]
    fault["count"] = .int(count)
    counts.update { $0.faults += count }
    try await world.stub.fault(fault)
  }

  private func end(_ worker: StartedProgram) async {
    worker.send(SIGTERM)
    let ending = try? await worker.ended(within: .seconds(40))
    counts.update { $0.exits.append(ending ?? .signalled(0)) }
    if ending == nil { worker.send(SIGKILL) }
  }

  private func restartStore(after pause: Duration, deletingData: Bool = false) async throws {
    let server = redis.read { $0 }
    server.process.send(SIGKILL)
    try await server.process.ended()
    if deletingData { try FileManager.default.removeItem(atPath: "\(world.folder)/appendonlydir") }
    try await Task.sleep(for: pause)
    let next = try await world.startRedis(persists: true)
    redis.update { $0 = next }
  }

  /// Nothing may be spent on a ledger that has forgotten what was spent, until an operator says what it was.
  private func loseStore() async throws {
    try await restartStore(after: .milliseconds(500), deletingData: true)
    // Calls that were granted before may still be under way.
    try await Task.sleep(for: .seconds(3))
    let before = try await units()
    try await Task.sleep(for: .seconds(3))
    let after = try await units()
    #expect(after == before, "\(after - before) units were spent on an empty ledger")
    let set = try world.start("tubeline", ["quota", "set", "default", "\(after)"], settings: storeSettings)
    #expect(try await set.ended() == .exited(0), "\(set.tail())")
  }

  func units() async throws -> Int { try await world.stub.statistics().units["default"] ?? 0 }

  func spent() async throws -> Int {
    let store = try await QuotaStoreURL.open(redis.read { $0.address }, calendar: .pacific())
    let status = try await store.status(QuotaPolicy(limits: [.default: Self.dailyUnits])).first { $0.bucket == .default }
    await store.close()
    return try #require(status?.spent)
  }
}
