import Messages
import Telemetry
import WorkerApp

/// What a harvest is asked for.
struct HarvestOptions: Sendable {
  var request: RequestOptions
  var output: String?
  var format: RecordFormatter.Format
  var isRawCSV: Bool
  var workers: Int
  var waitsForQuota: Bool
  var startsWorkers: Bool
  var backend: BackendWishes
  var logFile: String?
  var isColoured: Bool
  /// Whether progress is redrawn in place.
  var isLive: Bool

  // A table needs all rows to be of use, and a harvest may be long.
  private enum FileFormat: String, CaseIterable { case jsonl, csv }

  /// A harvest searches for nothing.
  static let stages: [StageName] = [.channels, .playlists, .videos]

  static let flags: [OptionSpecification] = [
    RequestFlags.from,
    OptionSpecification("--output", "FILE", "Where records go; a file that exists is replaced; - is standard output. Default: -."),
    OptionSpecification("--format", "jsonl|csv", "Default: jsonl."),
    OptionSpecification("--raw-csv", "csv: free text as it is, even where a spreadsheet would run it as a formula."),
    RequestFlags.maxVideos, RequestFlags.publishedAfter, RequestFlags.since, RequestFlags.noEnrich, RequestFlags.allowSearch,
    OptionSpecification("--no-wait", "End with exit code 75 when the quota is used up, instead of waiting for the reset."),
    OptionSpecification(
      "--workers", "N",
      "Worker processes for each of the three stages, 1 to 16. Default: 1, which is enough for the embedded broker: with more, pages may be "
        + "fetched twice, and paid twice, while it shares out partitions."),
    OptionSpecification("--bootstrap-servers", "HOST:PORT,…", "Use this Kafka cluster instead of the embedded broker."),
    OptionSpecification("--no-workers", "With --bootstrap-servers: the workers run elsewhere."),
    OptionSpecification("--demo", "Harvest from the built-in API double even though an API key is set."),
    OptionSpecification("--recordings", "DIR", "Let the API double serve the recorded answers in DIR (implies --demo)."),
    OptionSpecification("--log-file", "FILE", "Every log line of the workers, as JSON."),
    OptionSpecification("--no-color", "No colours; also with NO_COLOR, and where standard error is no terminal."),
  ]

  init(_ arguments: ParsedArguments, environment: [String: String], isTerminal: Bool) throws(UsageError) {
    request = try RequestFlags.options(arguments)
    output = arguments.values["--output"].flatMap { $0 == "-" ? nil : $0 }
    format = (try arguments.word("--format") as FileFormat?) == .csv ? .csv : .jsonl
    isRawCSV = arguments.has("--raw-csv")
    workers = try arguments.number("--workers", in: 1...16) ?? 1
    waitsForQuota = !arguments.has("--no-wait")
    startsWorkers = !arguments.has("--no-workers")
    backend = BackendWishes(
      bootstrapServers: arguments.values["--bootstrap-servers"] ?? arguments.settings[Setting.kafkaServers.variable],
      recordings: arguments.values["--recordings"], isDemo: arguments.has("--demo") || arguments.values["--recordings"] != nil)
    logFile = arguments.values["--log-file"]
    isLive = isTerminal && TerminalSize.canRedraw(environment)
    isColoured = isLive && !arguments.has("--no-color") && environment["NO_COLOR", default: ""].isEmpty
    if !startsWorkers && backend.bootstrapServers == nil {
      throw UsageError("--no-workers needs --bootstrap-servers: nobody else can reach the embedded broker in time.")
    }
  }
}
