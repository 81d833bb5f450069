import Foundation
import JSON
import Kafka
import Messages
import Stages
import Telemetry

/// One stub, one broker or topic prefix, and the processes of a test or of a suite. Everything ends with it, or with the test process.
final class World: Sendable {
  /// What differs between worlds.
  struct Setup: Sendable {
    var settings: [String: String] = [:]
    var stub: [String] = []
    var partitions = 4
    /// Processes of each stage that are started, and waited for until they have joined their groups.
    var workers = 0
    /// A ledger in Redis rather than SQLite.
    var usesRedis = false
  }

  static let realServers = ProcessInfo.processInfo.environment["TEST_KAFKA"]
  private static let mockFetchWait = "50"
  /// Those of a harvest; searches are started by the tests that need them.
  static let stages: [StageName] = [.channels, .playlists, .videos]

  let stub: StubControl
  let log: TopicLog
  let settings: [String: String]
  let folder: String
  let producer: Producer
  let processes = Monitor<[StartedProgram]>([])
  let prefix: String
  let kafka: KafkaConfiguration
  private let partitions: Int
  private let processGuard: ProcessGuard
  /// nil on a real cluster.
  let cluster: MockCluster?

  init(_ setup: Setup = Setup()) async throws {
    partitions = setup.partitions
    folder = NSTemporaryDirectory() + "tubeline-e2e-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    processGuard = try ProcessGuard(folder: folder)
    let group = processGuard.group
    prefix = Self.realServers == nil ? "" : "t\(UInt32.random(in: 0 ... .max))-"
    cluster = try Self.realServers == nil ? MockCluster() : nil
    // The mock cluster answers a waiting fetch when its time is over, not when something came.
    kafka = KafkaConfiguration(
      bootstrapServers: Self.realServers ?? cluster?.bootstrapServers ?? "",
      properties: cluster == nil ? [:] : ["fetch.wait.max.ms": Self.mockFetchWait])
    let stub = try StartedProgram(
      "\(Executables.folder)/youtube-stub", ["--port", "0"] + setup.stub, name: "youtube-stub", environment: Self.inherited, group: group)
    self.stub = StubControl(address: try await stub.firstLine())
    var started = [stub]
    var settings = Self.defaults(kafka, stub: self.stub.address, folder: folder, prefix: prefix)
    if setup.usesRedis {
      let redis = try await RedisServer(folder: folder, group: group)
      started.append(redis.process)
      settings["QUOTA_STORE"] = redis.address
    }
    self.settings = settings.merging(setup.settings) { $1 }
    if let cluster {
      for plan in Topic.all { try cluster.createTopic(plan.topic.name, partitions: setup.partitions) }
    } else {
      try await Self.createTopics(self.settings, group: group)
    }
    log = try await TopicLog(
      configuration: kafka, prefix: prefix,
      partitionCounts: Dictionary(uniqueKeysWithValues: Topic.all.map { ($0.topic, setup.partitions) }))
    producer = try Producer(configuration: kafka, clientID: "test", logger: .silent)
    processes.update { $0 = started }
    if setup.workers > 0 { try await startAll(setup.workers) }
  }

  private static var inherited: [String: String] {
    ProcessInfo.processInfo.environment.filter { ["PATH", "HOME", "LD_LIBRARY_PATH", "TZDIR", "TMPDIR"].contains($0.key) }
  }

  private static func defaults(_ kafka: KafkaConfiguration, stub: String, folder: String, prefix: String) -> [String: String] {
    inherited.merging([
      "KAFKA_BOOTSTRAP_SERVERS": kafka.bootstrapServers, "TOPIC_PREFIX": prefix, "YOUTUBE_API_URL": stub, "YOUTUBE_API_KEY": "e2e-key",
      "QUOTA_STORE": "sqlite://\(folder)/quota.db", "LOG_FORMAT": "json", "SHUTDOWN_GRACE": "20s", "RETRY_DELAY": "500ms",
      "XDG_STATE_HOME": folder, "WORKER_GUARANTEE": realServers == nil ? "at-least-once" : "exactly-once",
      "KAFKA_SESSION_TIMEOUT_MS": "6000", "KAFKA_FETCH_WAIT_MAX_MS": realServers == nil ? mockFetchWait : "500",
    ]) { $1 }
  }

  private static func createTopics(_ settings: [String: String], group: Int32) async throws {
    let create = try StartedProgram(
      "\(Executables.folder)/tubeline", ["topics", "create", "--partitions", "4"], name: "tubeline topics create", environment: settings,
      group: group)
    let ending = try await create.ended(within: .seconds(60))
    if ending != .exited(0) { throw Unmet("topics were not created: \(ending)", known: create.tail()) }
  }

  // The topics of a test are of no use to anybody else on a real cluster.
  private func deleteTopics() async throws {
    let admin = try Admin(configuration: kafka, clientID: "test", logger: .silent)
    _ = try? await admin.deleteTopics(Topic.all.map { prefix + $0.topic.name })
    await admin.close()
  }

  /// Starts a program of the package.
  func start(_ program: String, _ arguments: [String] = [], settings more: [String: String] = [:]) throws -> StartedProgram {
    let process = try StartedProgram(
      "\(Executables.folder)/\(program)", arguments, name: program, environment: settings.merging(more) { $1 }, group: processGuard.group)
    processes.update { $0.append(process) }
    return process
  }

  /// Runs a shell script in which `$0` is a program of the package, for what only a shell does to a program.
  func startShell(_ script: String, _ program: String, _ arguments: [String] = []) throws -> StartedProgram {
    let process = try StartedProgram(
      "/bin/sh", ["-c", script, "\(Executables.folder)/\(program)"] + arguments, name: program, environment: settings,
      group: processGuard.group)
    processes.update { $0.append(process) }
    return process
  }

  /// Starts workers of a stage and waits until each has joined the group.
  @discardableResult
  func start(_ stage: StageName, _ count: Int = 1, settings: [String: String] = [:]) async throws -> [StartedProgram] {
    let workers = try (0..<count).map { _ in try start("tubeline-\(stage.rawValue)", settings: settings) }
    for worker in workers { try await worker.joined() }
    return workers
  }

  /// Starts so many workers of each stage.
  @discardableResult
  func startAll(_ count: Int = 1, settings: [String: String] = [:]) async throws -> [StageName: [StartedProgram]] {
    var workers: [StageName: [StartedProgram]] = [:]
    for stage in Self.stages {
      workers[stage] = try (0..<count).map { _ in try start("tubeline-\(stage.rawValue)", settings: settings) }
    }
    for worker in workers.values.joined() { try await worker.joined() }
    return workers
  }

  /// Waits until every worker of a stage has an equal share of its partitions: no rebalance is under way any more.
  func balanced() async throws {
    for stage in Self.stages {
      let topics = (StageOrder.row(stage)?.inputs.count ?? 0) + (StageOrder.row(stage)?.retriesInPlace == false ? 1 : 0)
      let workers = workers(stage)
      for worker in workers { try await worker.holds(topics * partitions / workers.count) }
    }
  }

  func workers(_ stage: StageName? = nil) -> [StartedProgram] {
    let names = (stage.map { [$0] } ?? Self.stages).map { "tubeline-\($0.rawValue)" }
    return processes.read { $0.filter { names.contains($0.name) } }
  }

  /// A redis-server beside the others, with a clock of its own, with data that outlive it, or with users from a file.
  func startRedis(clock: String? = nil, persists: Bool = false, users: String? = nil) async throws -> RedisServer {
    let redis = try await RedisServer(folder: folder, group: processGuard.group, clock: clock, persists: persists, users: users)
    processes.update { $0.append(redis.process) }
    return redis
  }

  /// Ends everything. Returns the processes that had ended before without being told to.
  func close() async throws -> [StartedProgram] {
    try await dump()
    let all = processes.read { $0 }
    let dead = all.filter { $0.state.read { $0.ending != nil && !$0.isExpectedToEnd } }
    for process in all { process.send(SIGKILL) }
    await log.close()
    await producer.close()
    if cluster == nil { try? await deleteTopics() }
    try await processGuard.release()
    await cluster?.close()
    return dead
  }
}
