import Telemetry
import WorkerApp

/// `tubeline doctor`: is everything there that the pipeline needs?
enum DoctorCommand: Command {
  static let specification = CommandSpecification(
    name: "doctor",
    summary:
      "checks broker, topics, workers, ledger, time zone data, API, clock and traces, and says how to mend what is wrong",
    options: [OptionSpecification("--spend", "Also make one API call, which costs one unit.")],
    settings: [
      .kafkaServers, .topicPrefix, .apiURL, .apiKey, .apiKeyFile, .quotaStore, .dailyUnits, .dailySearches, .guarantee, .traceEndpoint,
      .traceHeaders,
    ],
    examples: [.init("tubeline doctor --spend", "Run it with the environment of your workers.")],
    notes: [
      "For each check: ok, PROBLEM with how to mend it, or – for what cannot be told or is no problem yet. Exit code 1 when there is "
        + "a problem."
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    try invocation.arguments.expectNoOperands()
    let configuration = try invocation.configuration()
    let checkup = Checkup(configuration: configuration)
    let isKeySet = invocation.settings.text(.apiKey) != nil || invocation.settings.text(.apiKeyFile) != nil
    let api = APICheck(configuration: configuration, isKeySet: isKeySet)
    var isWell = true
    let width = TerminalSize.columns(of: invocation.output)
    func report(_ findings: [Finding]) throws {
      for finding in findings {
        if finding.isGood == false { isWell = false }
        try invocation.output.write(finding.text(width: width))
      }
      try invocation.output.flush()
    }
    let cluster = await checkup.cluster()
    try report(cluster)
    if !cluster.contains(where: { $0.isGood == false && ["broker", "topics"].contains($0.check) }) {
      try report([await DeadLetterCheck(configuration: configuration).finding()])
    }
    try report(await LedgerCheck(configuration: configuration).findings())
    try report([api.key()])
    try report(await api.reachability())
    try report(await CollectorCheck(settings: configuration.traces).findings())
    if invocation.arguments.has("--spend") && isKeySet { try report([await api.spend()]) }
    return isWell ? .done : .incomplete
  }
}
