import FoundationEssentials
import Glibc
import Kafka
import Monitoring
import Processes
import Quota
import Telemetry
import WorkerApp

/// What a harvest stands on: broker, API and ledger, made for it or found.
struct HarvestBackend: Sendable {
  let kafka: KafkaConfiguration
  let topicPrefix: String
  let quotaStore: String
  let quotaPolicy: QuotaPolicy
  /// Where the watermarks of a harvest with a broker of its own are put until its records are written, and where they belong then.
  let watermarkScopes: (pending: String, own: String)?
  /// For the workers.
  let environment: [String: String]
  /// The records are made up by the API double.
  let isMadeUp: Bool
  fileprivate let cluster: MockCluster?
  fileprivate let stub: StartedStub?
  fileprivate let folder: String?

  var isEmbedded: Bool { cluster != nil }

  /// Nothing is known of an earlier harvest, and nothing of this one will be.
  var hasTemporaryLedger: Bool { folder != nil }

  var hasLostStub: Bool { stub?.ended.isTrue ?? false }

  func close() async {
    stub?.child.send(SIGTERM)
    await cluster?.close()
    if let folder { try? FileManager.default.removeItem(atPath: folder) }
  }
}

extension HarvestBackend {
  /// Says so where the data are not YouTube's.
  func note(_ wishes: BackendWishes, purpose: String) -> String? {
    guard isMadeUp else { return nil }
    let source = wishes.recordings.map { "what was recorded in \($0)" } ?? "MADE UP"
    return "NOTE: the data is \(source), from youtube-stub, the built-in API double"
      + (wishes.isDemo ? ", as you asked." : ": no API key is set. Set YOUTUBE_API_KEY or YOUTUBE_API_KEY_FILE to \(purpose).")
  }
}

/// What a command line says about the backend.
struct BackendWishes: Sendable {
  /// A real cluster instead of the embedded broker.
  var bootstrapServers: String?
  var recordings: String?
  var isDemo = false
}

private struct StartedStub: Sendable {
  let child: ChildProcess
  let address: String
  let ended: Occurrence
}

/// Prepares the backend that options and settings ask for.
struct HarvestPreparation {
  let options: BackendWishes
  let invocation: Invocation
  /// Where the other executables are.
  let binaries: String
  let signal: Signal

  private static let partitions = 8
  private static let placeholderKey = "made-up-key"

  func prepare() async throws -> HarvestBackend {
    let settings = invocation.settings
    let hasKey = settings.text(.apiKey) != nil || settings.text(.apiKeyFile) != nil
    let usesStub = options.isDemo || (!hasKey && settings.text(.apiURL) == nil)
    var environment = settings.variables
    var quotaStore = invocation.arguments.settings[Setting.quotaStore.variable]
    var folder: String?
    if usesStub || !hasKey {
      // Units that are made up must not be counted in the ledger of the real ones.
      if !usesStub { quotaStore = quotaStore ?? settings.text(.quotaStore) }
      if quotaStore == nil {
        folder = try temporaryFolder()
        quotaStore = "sqlite://\(folder ?? "")/quota.db"
      }
      if folder != nil {
        // That ledger has no password.
        environment["QUOTA_STORE_PASSWORD"] = nil
        environment["QUOTA_STORE_PASSWORD_FILE"] = nil
      }
      environment["YOUTUBE_API_KEY"] = Self.placeholderKey
      environment["YOUTUBE_API_KEY_FILE"] = nil
    }
    do {
      let stub = usesStub ? try await startStub() : nil
      if let stub { environment["YOUTUBE_API_URL"] = stub.address }
      do { return try await finish(environment, quotaStore, stub, folder) } catch {
        stub?.child.send(SIGTERM)
        throw error
      }
    } catch {
      if let folder { try? FileManager.default.removeItem(atPath: folder) }
      throw error
    }
  }

  private func finish(
    _ environment: [String: String], _ quotaStore: String?, _ stub: StartedStub?, _ folder: String?
  ) async throws -> HarvestBackend {
    var environment = environment
    environment["QUOTA_STORE"] = quotaStore ?? environment["QUOTA_STORE"]
    if options.bootstrapServers == nil {
      // The cluster is this process: nothing that is meant for another one fits.
      for name in environment.keys where name.hasPrefix("KAFKA_") { environment[name] = nil }
      environment["TOPIC_PREFIX"] = nil
      // What these topics hold is gone with this process: a request of a cluster must not take it for published.
      environment[Setting.watermarkScope.variable] = environment[Setting.watermarkScope.variable] ?? "harvest"
      environment[Setting.watermarkPendingScope.variable] = "harvest-\(RequestMessage.newID())"
    }
    let configuration = try AppConfiguration(Settings(environment: environment), key: .optional, isTerminal: true)
    // Where there is a password beside the address, the workers find it as this process did.
    if environment["QUOTA_STORE"]?.isEmpty ?? true { environment["QUOTA_STORE"] = configuration.quotaStore }
    let cluster = options.bootstrapServers == nil ? try await EmbeddedBroker.start(partitions: Self.partitions) : nil
    let servers = cluster?.bootstrapServers ?? options.bootstrapServers ?? ""
    let kafka = KafkaConfiguration(bootstrapServers: servers, properties: configuration.kafka.properties)
    let isMock = if cluster == nil { try await isEmbeddedBroker(kafka) } else { true }
    return HarvestBackend(
      kafka: kafka, topicPrefix: configuration.topicPrefix, quotaStore: configuration.quotaStore,
      quotaPolicy: configuration.quotaPolicy,
      watermarkScopes: cluster == nil ? nil : (configuration.watermarkPendingScope, configuration.watermarkScope),
      environment: workerEnvironment(environment, servers: servers, isMock: isMock), isMadeUp: stub != nil, cluster: cluster,
      stub: stub, folder: folder)
  }

  private func workerEnvironment(_ environment: [String: String], servers: String, isMock: Bool) -> [String: String] {
    var environment = environment
    environment["KAFKA_BOOTSTRAP_SERVERS"] = servers
    environment["LOG_FORMAT"] = "json"
    if environment["LOG_LEVEL"] != "debug" { environment["LOG_LEVEL"] = "info" }
    // Several processes share this environment: what must be one process's own is left out.
    environment["WORKER_ID"] = nil
    environment["HTTP_PORT"] = nil
    environment["SHUTDOWN_GRACE"] = environment["SHUTDOWN_GRACE"] ?? "5s"
    guard isMock else { return environment }
    environment["WORKER_GUARANTEE"] = "at-least-once"
    environment["WORKER_COMMIT_INTERVAL"] = "100ms"
    // The mock cluster waits for a session's length when a group changes.
    environment["KAFKA_SESSION_TIMEOUT_MS"] = "3000"
    environment["KAFKA_HEARTBEAT_INTERVAL_MS"] = "300"
    // The mock cluster refuses commits while a group changes, and a refused member loses its partitions: with an eager assignor members
    // commit and let go before they join anew.
    environment["KAFKA_PARTITION_ASSIGNMENT_STRATEGY"] = "roundrobin"
    return environment
  }

  /// `tubeline broker` in another process needs the same care as the broker in this one.
  private func isEmbeddedBroker(_ kafka: KafkaConfiguration) async throws -> Bool {
    try await kafka.withAdmin { try await $0.cluster(at: kafka.bootstrapServers) }.isMockCluster
  }

  // What it says on purpose begins with its name; what a library prints does not.
  static func complaint(_ line: String) -> String {
    (line.hasPrefix("youtube-stub: ") ? "" : "youtube-stub: ") + VisibleText.of(line)
  }

  private func startStub() async throws -> StartedStub {
    let ended = Occurrence(signal: signal)
    let path = "\(binaries)/youtube-stub"
    let arguments = ["--port", "0"] + (options.recordings.map { ["--recordings", $0] } ?? [])
    let messages = invocation.messages
    // The first line is the address, or there is none because the stub has ended.
    let lines = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(1))
    let child = try await ChildProcess.start(
      Program(path, arguments, environment: invocation.environment),
      onLine: { stream, line in
        if stream == .output { lines.continuation.yield(line) } else { messages.line(Self.complaint(line)) }
      },
      onEnd: { _ in
        lines.continuation.finish()
        ended.happen()
      })
    for await address in lines.stream where address.hasPrefix("http://") {
      return StartedStub(child: child, address: address, ended: ended)
    }
    throw CommandError("youtube-stub did not start; see above.")
  }

  private func temporaryFolder() throws -> String {
    let base = FileManager.default.temporaryDirectory.path()
    var template = Array("\(base.hasSuffix("/") ? base : base + "/")tubeline-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CommandError("No temporary folder can be made: \(String(cString: strerror(errno)))") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
