import FoundationEssentials
public import Kafka
public import OpenTelemetry
public import Pipeline
public import Quota
public import Stages
public import Telemetry
public import YouTubeAPI

/// Everything that a worker is told from outside, read and checked.
public struct AppConfiguration: Sendable {
  public enum Guarantee: String, Sendable, CaseIterable {
    case exactlyOnce = "exactly-once"
    case atLeastOnce = "at-least-once"
  }

  public var kafka: KafkaConfiguration
  public var topicPrefix: String
  public var api: ClientConfiguration
  /// Complete, with the password if there is one: not for showing.
  public var quotaStore: String
  public var quotaPolicy: QuotaPolicy
  public var onDataLoss: QuotaGate.DataLossPolicy
  public var refresh: RefreshPolicy
  /// Whose watermarks are read, and whose are moved.
  public var watermarkScope: String
  public var watermarkPendingScope: String
  public var workerID: String?
  public var guarantee: Guarantee
  public var commitInterval: Duration
  public var worker: WorkerConfiguration
  public var httpHost: String
  public var httpPort: Int?
  public var metricsInterval: Duration
  public var traces: TraceSettings
  public var logLevel: LogLevel
  public var logFormat: LogFormat

  /// Unread: a wrong setting of it is no matter of the program's.
  public enum KeyUse: Sendable { case required, optional, unread }

  /// - Parameters:
  ///   - key: what the program does with the API key.
  ///   - isTerminal: whether standard error is a terminal, which decides the default log format.
  public init(_ settings: Settings, key: KeyUse = .required, isTerminal: Bool) throws(SettingError) {
    kafka = try Self.kafka(settings)
    topicPrefix = try Self.topicText(settings, .topicPrefix) ?? ""
    api = try Self.api(settings, key)
    quotaStore = try QuotaStoreSetting.read(settings)
    quotaPolicy = try Self.policy(settings)
    onDataLoss = try settings.word(.onDataLoss, default: .stop)
    refresh = RefreshPolicy(
      lookBack: try settings.number(.lookBack, default: 25, in: 0...1000),
      fullPassAfter: try settings.text(.fullPassAfter) == Setting.fullPassAfter.defaultText
        ? nil : settings.optionalDuration(.fullPassAfter, in: .seconds(1) ... .seconds(400 * 86_400)))
    watermarkScope = try Self.topicText(settings, .watermarkScope) ?? topicPrefix
    watermarkPendingScope = try Self.topicText(settings, .watermarkPendingScope) ?? watermarkScope
    workerID = settings.text(.workerID)
    guarantee = try settings.word(.guarantee, default: .exactlyOnce)
    commitInterval = try settings.duration(.commitInterval, default: .milliseconds(100), in: .zero ... .seconds(60))
    worker = WorkerConfiguration(
      concurrency: try settings.number(.concurrency, default: 16, in: 1...1000),
      // Transactions are paced here; without them only offset commits are, and outputs leave at once.
      deliveryInterval: guarantee == .exactlyOnce ? commitInterval : .zero,
      retry: RetryPolicy(
        attempts: try settings.number(.retryAttempts, default: 6, in: 1...100),
        delay: try settings.duration(.retryDelay, default: .seconds(5), in: .milliseconds(1) ... .seconds(86_400)),
        cap: try settings.duration(.retryDelayCap, default: .seconds(600), in: .milliseconds(1) ... .seconds(86_400))),
      shutdownGrace: try settings.duration(.shutdownGrace, default: .seconds(25), in: .zero ... .seconds(3600)),
      stoppedDelay: try settings.duration(.retryStoppedDelay, default: .seconds(30), in: .milliseconds(100) ... .seconds(86_400)),
      breakerFailures: try settings.number(.breakerFailures, default: 5, in: 0...10_000),
      breakerDelay: try settings.duration(.breakerDelay, default: .seconds(5), in: .milliseconds(1) ... .seconds(60)),
      // A transaction publishes nothing twice.
      lookback: guarantee == .atLeastOnce ? 512 : 0)
    httpHost = settings.text(.httpHost) ?? "127.0.0.1"
    let port = try settings.text(.httpPort) == "off" ? nil : settings.optionalNumber(.httpPort, in: 0...65_535)
    httpPort = port == 0 ? nil : port
    metricsInterval = try settings.duration(.metricsInterval, default: .seconds(10), in: .milliseconds(100) ... .seconds(3600))
    traces = try Self.traces(settings)
    logLevel = try settings.word(.logLevel, default: .info)
    logFormat = try settings.word(.logFormat, default: isTerminal ? .text : .json)
  }

  private static func kafka(_ settings: Settings) throws(SettingError) -> KafkaConfiguration {
    let properties = KafkaConfiguration.properties(fromEnvironment: try KafkaSecretFiles.resolve(settings.variables))
    let configuration = KafkaConfiguration(bootstrapServers: settings.text(.kafkaServers) ?? "localhost:9092", properties: properties)
    do throws(KafkaConfigurationError) { try configuration.validate() } catch {
      throw SettingError(error.environmentVariable ?? "KAFKA_…", error.reason)
    }
    return configuration
  }

  /// What may be a part of a topic's name.
  private static func topicText(_ settings: Settings, _ setting: Setting) throws(SettingError) -> String? {
    guard let text = settings.text(setting) else { return nil }
    let isLegal = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
    }
    guard isLegal, text.utf8.count <= 200 else {
      throw SettingError(setting, value: text, allowed: "up to 200 letters, digits, dots, dashes and underscores")
    }
    return text
  }

  private static func api(_ settings: Settings, _ use: KeyUse) throws(SettingError) -> ClientConfiguration {
    let key = use == .unread ? nil : try APIKey.read(settings)
    guard key != nil || use != .required else {
      throw SettingError("YOUTUBE_API_KEY", "is not set; set it, or YOUTUBE_API_KEY_FILE to the path of a file that holds the key")
    }
    let url = settings.text(.apiURL) ?? "https://youtube.googleapis.com"
    guard url.hasPrefix("http://") || url.hasPrefix("https://"), !url.contains("?"), !url.contains("@") else {
      throw SettingError(.apiURL, value: url, allowed: "an address such as https://youtube.googleapis.com, without user or query")
    }
    var configuration = ClientConfiguration(apiKey: Secret(key ?? ""), baseURL: url)
    configuration.keyPlacement = try settings.word(.apiKeyPlacement, default: .header)
    configuration.timeout = try settings.duration(.apiTimeout, default: .seconds(30), in: .milliseconds(100) ... .seconds(600))
    return configuration
  }

  private static func traces(_ settings: Settings) throws(SettingError) -> TraceSettings {
    let variables = settings.variables
    let traces = TraceSettings { variables[$0] }
    if let endpoint = traces.endpoint, !endpoint.hasPrefix("http://"), !endpoint.hasPrefix("https://") {
      throw SettingError(.traceEndpoint, value: endpoint, allowed: "an address such as http://collector:4318")
    }
    return traces
  }

  private static func policy(_ settings: Settings) throws(SettingError) -> QuotaPolicy {
    let most = 50_000_000
    let units = try settings.number(.dailyUnits, default: 10_000, in: 0...most)
    let policy = QuotaPolicy(
      limits: [.default: units, .search: try settings.number(.dailySearches, default: 100, in: 0...most)],
      pacing: try settings.word(.pacing, default: .burst),
      requestsPerMinute: try settings.text(.requestsPerMinute) == Setting.requestsPerMinute.defaultText
        ? nil : settings.optionalNumber(.requestsPerMinute, in: 1...60_000),
      reserve: try settings.number(.reserve, default: 0, in: 0...most))
    if let problem = policy.problem() { throw SettingError("QUOTA_…", problem) }
    return policy
  }
}
