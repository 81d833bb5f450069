/// One setting: an environment variable, and a flag of the same name.
public struct Setting: Sendable, Hashable {
  public let variable: String
  public let defaultText: String
  /// What the value is: `duration`, `units`, `text`, or the allowed words.
  public let unit: String
  public let meaning: String
  public let isSecret: Bool

  public init(_ variable: String, default defaultText: String, unit: String, _ meaning: String, isSecret: Bool = false) {
    self.variable = variable
    self.defaultText = defaultText
    self.unit = unit
    self.meaning = meaning
    self.isSecret = isSecret
  }

  /// `--kafka-bootstrap-servers` of `KAFKA_BOOTSTRAP_SERVERS`.
  public var flag: String { "--" + variable.lowercased().replacing("_", with: "-") }
}

extension Setting {
  public static let kafkaServers = Setting(
    "KAFKA_BOOTSTRAP_SERVERS", default: "localhost:9092", unit: "host:port,…", "Brokers to begin with.")
  public static let topicPrefix = Setting("TOPIC_PREFIX", default: "", unit: "text", "Put before every topic, group and transactional id.")
  public static let apiURL = Setting(
    "YOUTUBE_API_URL", default: "https://youtube.googleapis.com", unit: "URL", "Where the YouTube Data API is.")
  public static let apiKey = Setting(
    "YOUTUBE_API_KEY", default: "", unit: "text", "The API key. Never a flag: process lists show flags.", isSecret: true)
  public static let apiKeyFile = Setting(
    "YOUTUBE_API_KEY_FILE", default: "", unit: "path", "A file that holds the API key, instead of YOUTUBE_API_KEY.")
  public static let apiTimeout = Setting("YOUTUBE_API_TIMEOUT", default: "30s", unit: "duration", "How long one API call may take.")
  public static let apiKeyPlacement = Setting(
    "YOUTUBE_API_KEY_PLACEMENT", default: "header", unit: "header, query", "Whether the key goes into X-Goog-Api-Key or into key=.")
  public static let quotaStore = Setting(
    "QUOTA_STORE", default: "sqlite:///…/quota.db in the state folder", unit: "URL",
    "The ledger that all workers share: redis://[user:password@]host:port/db or unix:///path (Redis's socket), or sqlite:///path or sqlite:path on one host.",
    isSecret: true)
  public static let quotaStorePassword = Setting(
    "QUOTA_STORE_PASSWORD", default: "", unit: "text", "The password of QUOTA_STORE, when its address holds none. Never a flag.",
    isSecret: true)
  public static let quotaStorePasswordFile = Setting(
    "QUOTA_STORE_PASSWORD_FILE", default: "", unit: "path", "A file that holds it, instead of QUOTA_STORE_PASSWORD.")
  public static let dailyUnits = Setting("QUOTA_DAILY_UNITS", default: "10000", unit: "units", "The project's daily units.")
  public static let dailySearches = Setting("QUOTA_DAILY_SEARCHES", default: "100", unit: "calls", "The project's daily searches.")
  public static let pacing = Setting(
    "QUOTA_PACING", default: "burst", unit: "burst, even", "Spend as fast as wanted, or evenly over the day.")
  public static let requestsPerMinute = Setting(
    "QUOTA_REQUESTS_PER_MINUTE", default: "no limit", unit: "calls", "Calls of all workers together in any minute.")
  public static let reserve = Setting(
    "QUOTA_RESERVE", default: "0", unit: "units", "Daily units that are left to others and count as not there.")
  public static let onDataLoss = Setting(
    "QUOTA_ON_DATA_LOSS", default: "stop", unit: "stop, reset", "What to do when the ledger lost its data: spend nothing, or begin at zero."
  )
  public static let lookBack = Setting(
    "REFRESH_LOOKBACK", default: "25", unit: "entries",
    "Known entries that a request with since reads, and publishes again, before it stops; a video that is published late stands where it was uploaded, below newer ones."
  )
  public static let fullPassAfter = Setting(
    "REFRESH_FULL_PASS_AFTER", default: "off", unit: "duration, off",
    "A request with since reads a whole list when the last request that did is older, such as 30d.")
  public static let watermarkScope = Setting(
    "WATERMARK_SCOPE", default: "TOPIC_PREFIX", unit: "text",
    "Whose watermarks these workers use: clusters that share a ledger but neither topics nor a prefix need one each.")
  public static let watermarkPendingScope = Setting(
    "WATERMARK_PENDING_SCOPE", default: "WATERMARK_SCOPE", unit: "text",
    "Where watermarks are put instead; tubeline harvest takes them over when its records are written.")
  public static let workerID = Setting(
    "WORKER_ID", default: "none", unit: "text",
    "This worker's own name, the same after a restart: static group membership, fencing of its predecessor.")
  public static let concurrency = Setting("WORKER_CONCURRENCY", default: "16", unit: "messages", "Messages handled at the same time.")
  public static let guarantee = Setting(
    "WORKER_GUARANTEE", default: "exactly-once", unit: "exactly-once, at-least-once",
    "How outputs and offsets are published; docs/guarantees.md says more.")
  public static let commitInterval = Setting(
    "WORKER_COMMIT_INTERVAL", default: "100ms", unit: "duration", "Shortest time between two transactions, or between two offset commits.")
  public static let retryAttempts = Setting(
    "RETRY_ATTEMPTS", default: "6", unit: "attempts", "How often a message is handled before it is dead-lettered.")
  public static let retryDelay = Setting(
    "RETRY_DELAY", default: "5s", unit: "duration", "The delay before the second attempt; each further one is twice as long.")
  public static let retryDelayCap = Setting("RETRY_DELAY_CAP", default: "10m", unit: "duration", "The longest delay between two attempts.")
  public static let retryStoppedDelay = Setting(
    "RETRY_STOPPED_DELAY", default: "30s", unit: "duration",
    "How long a stage that somebody must mend (a wrong key, say) waits before one message looks whether it is mended.")
  public static let breakerFailures = Setting(
    "BREAKER_FAILURES", default: "5", unit: "messages",
    "So many different messages that fail in a row are an outage: the stage waits and no attempt is lost; 0 is never.")
  public static let breakerDelay = Setting(
    "BREAKER_DELAY", default: "5s", unit: "duration",
    "When one message looks whether the outage is over; twice as late after each that finds it is not, up to a minute.")
  public static let shutdownGrace = Setting(
    "SHUTDOWN_GRACE", default: "25s", unit: "duration", "How long running work may take after SIGTERM.")
  public static let httpHost = Setting("HTTP_HOST", default: "127.0.0.1", unit: "address", "Where /healthz, /readyz and /metrics listen.")
  public static let httpPort = Setting("HTTP_PORT", default: "off", unit: "port", "Their port; 0 or unset is off.")
  public static let metricsInterval = Setting(
    "METRICS_INTERVAL", default: "10s", unit: "duration", "How often lag, quota and desired replicas are looked at while they are served.")
  public static let logLevel = Setting(
    "LOG_LEVEL", default: "info", unit: "debug, info, notice, warning, error", "The least severe lines that are written.")
  public static let logFormat = Setting(
    "LOG_FORMAT", default: "text in a terminal, json elsewhere", unit: "json, text", "How lines on standard error look.")

  public static let traceEndpoint = Setting(
    "OTEL_EXPORTER_OTLP_ENDPOINT", default: "", unit: "URL",
    "An OpenTelemetry collector that gets traces as JSON over HTTP, such as http://collector:4318; docs/tracing.md has more.")
  public static let traceHeaders = Setting(
    "OTEL_EXPORTER_OTLP_HEADERS", default: "", unit: "name=value,…", "Sent along to the collector. Never a flag.", isSecret: true)
  public static let traceServiceName = Setting(
    "OTEL_SERVICE_NAME", default: "the program's name", unit: "text", "What traces call this service.")
  public static let traceSampler = Setting(
    "OTEL_TRACES_SAMPLER", default: "parentbased_always_on", unit: "sampler",
    "Which traces are recorded: also always_on, always_off, traceidratio, parentbased_always_off, parentbased_traceidratio.")
  public static let traceSamplerArgument = Setting(
    "OTEL_TRACES_SAMPLER_ARG", default: "1", unit: "0 to 1", "The share of traces, for the samplers with ratio in their name.")

  /// Every setting of a worker, in the order of `--help`.
  public static let worker: [Setting] = [
    kafkaServers, topicPrefix, apiURL, apiKey, apiKeyFile, apiTimeout, apiKeyPlacement, quotaStore, quotaStorePassword,
    quotaStorePasswordFile, dailyUnits, dailySearches, pacing, requestsPerMinute, reserve, onDataLoss, lookBack, fullPassAfter,
    watermarkScope, watermarkPendingScope, workerID, concurrency, guarantee, commitInterval, retryAttempts, retryDelay, retryDelayCap,
    retryStoppedDelay, breakerFailures, breakerDelay, shutdownGrace, httpHost, httpPort, metricsInterval, logLevel, logFormat,
    traceEndpoint,
    traceHeaders, traceServiceName, traceSampler, traceSamplerArgument,
  ]
}
