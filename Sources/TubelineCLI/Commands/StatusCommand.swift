import JSON
import Kafka
import Messages
import Monitoring
import Telemetry
import WorkerApp

/// `tubeline status`: requests, stages, workers and quota.
enum StatusCommand: Command {
  enum Format: String, CaseIterable { case table, json }

  private static let interval = Duration.seconds(2)
  private static let tableLimit = 20

  static let specification = CommandSpecification(
    name: "status", summary: "shows requests, what waits for each stage, its workers, and the quota", operands: "[REQUEST-ID…]",
    options: [
      OptionSpecification("--active", "Only requests that have not ended."),
      OptionSpecification("--limit", "N", "The N newest requests. Default: 20 in a table, all in json."),
      OptionSpecification("--format", "table|json", "Default: table."),
      OptionSpecification("--watch", "Again every 2 seconds: redrawn in a terminal, one after the other elsewhere."),
    ],
    settings: [.kafkaServers, .topicPrefix, .quotaStore, .dailyUnits, .dailySearches, .reserve],
    examples: [
      .init("tubeline status --active --watch", "What is going on, until Ctrl-C."),
      .init("tubeline status r-7f3a", "Everything about one request, with each page that failed."),
      .init("tubeline status --format json | jq '.stages[] | {stage, lag, deadLetters}'", "For a script: one object."),
    ],
    notes: [
      """
      A request is waiting (no event yet), running, cancelling (ordered to end; in json: cancelRequestedAt), or has ended: completed,
      cancelled, expired, failed, notFound, rejected. What waits for a stage is counted, record by record, from its group's committed
      offsets; beyond \(RecordTally.mostRecords) records it is estimated. Workers report every few seconds to topic worker-status; one that
      has said nothing for 20 seconds is gone. Exit code 1: a request is unknown, or something could not be found out (told on standard
      error).
      """
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    let arguments = invocation.arguments
    let format: Format = try arguments.word("--format") ?? .table
    let limit = try arguments.number("--limit", in: 0 ... .max)
    let selection = StatusObserver.Selection(
      ids: arguments.operands, activeOnly: arguments.has("--active"),
      limit: limit ?? (format == .json || !arguments.operands.isEmpty ? .max : tableLimit))
    let configuration = try invocation.configuration()
    let admin = try Admin(configuration: configuration.kafka, clientID: "tubeline-cli", logger: .silent)
    let signal = Signal()
    let follower = try StatusFollower(configuration.kafka, prefix: configuration.topicPrefix, signal: signal)
    let observer = StatusObserver(configuration: configuration, admin: admin, follower: follower)
    let outcome: Result<ExitCode, any Error>
    do {
      let missing = try await observer.open()
      let show = StatusDisplay(format: format, isDetailed: !selection.ids.isEmpty, isLive: arguments.has("--watch"), invocation: invocation)
      outcome = .success(
        arguments.has("--watch")
          ? try await watch(observer, selection, missing, show, signal)
          : try show(try await observer.observe(selection, missing)))
    } catch { outcome = .failure(error) }
    await follower.close()
    await admin.close()
    return try outcome.get()
  }

  /// Until a signal ends it, in good order.
  private static func watch(
    _ observer: StatusObserver, _ selection: StatusObserver.Selection, _ missing: [String], _ show: StatusDisplay, _ signal: Signal
  ) async throws -> ExitCode {
    let interruption = Occurrence(signal: signal)
    let signals = ShutdownSignals { interruption.happen() }
    defer { withExtendedLifetime(signals) {} }
    while true {
      let next = Deadline(after: interval, signal: signal)
      defer { next.cancel() }
      do { _ = try show(try await observer.observe(selection, missing)) } catch let error as KafkaError {
        // The client finds its broker again by itself.
        show.trouble("\(error)")
      }
      while !next.hasPassed && !interruption.isTrue {
        await signal.wait()
        try Task.checkCancellation()
      }
      if interruption.isTrue { return .done }
    }
  }
}
