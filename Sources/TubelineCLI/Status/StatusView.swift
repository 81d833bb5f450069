import FoundationEssentials
import Messages
import Monitoring
import Telemetry

/// A status as tables.
struct StatusView {
  let report: StatusReport
  /// Columns of the terminal; `nil` is as many as needed.
  let width: Int?
  /// Whether each request is shown with everything that is known of it.
  let isDetailed: Bool

  /// What people paste as a reference can be a whole page of text.
  private static let widest = 60

  var text: String {
    var parts = [requests]
    if isDetailed { parts.append(details) }
    parts += [stages, workers]
    if let quota = report.quota { parts.append(QuotaShowCommand.table(quota, width: width)) }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var requests: String {
    guard !report.requests.isEmpty else { return "No requests.\n" }
    var table = TextTable(columns: [
      .init("request", flexible: true), .init("state"), .init("channel", flexible: true), .init("pages", .right), .init("videos", .right),
      .init("unavailable", .right), .init("units", .right), .init("begun"), .init("last event"),
    ])
    for request in report.requests {
      table.append([
        request.id, request.state.rawValue,
        TextWidth.clipped(request.title ?? request.reference ?? "", to: Self.widest), Spans.count(request.pages), Self.videos(request),
        Spans.count(request.unavailable), Spans.count(request.units), request.begun.map { Self.minute($0) } ?? "",
        request.last.map { "\($0.kind.rawValue), \(age($0.at))" } ?? "none",
      ])
    }
    let more = report.omitted == 0 ? "" : "and \(Spans.count(report.omitted)) more: --limit N shows N\n"
    return table.text(width: width) + more
  }

  private static func videos(_ request: RequestStatus) -> String {
    let videos = Spans.count(request.videos)
    guard let expected = request.expected, request.state != .completed else { return videos }
    return "\(videos) of \(Spans.count(expected))"
  }

  private var details: String {
    report.requests.map { request in
      var lines: [String] = []
      func add(_ name: String, _ text: String?) { if let text, !text.isEmpty { lines.append("  \(name): \(VisibleText.of(text))\n") } }
      add("reference", request.reference)
      add("channel", request.channelID)
      add("playlist", request.playlistID)
      add("begun", request.begun)
      add("last event", request.last.map { "\($0.kind.rawValue) of the \($0.stage.rawValue) stage at \($0.at)" })
      add("truncated by", request.truncatedBy?.rawValue)
      add("error", request.error.map { "\($0.code): \($0.message)" })
      for (page, failure) in request.pageFailures.sorted(by: { $0.key < $1.key }) {
        add("page \(page) failed", "\(failure.code): \(failure.message)")
      }
      return "\(VisibleText.of(request.id)): \(request.state.rawValue)\n" + lines.joined()
    }.joined()
  }

  private var stages: String {
    var table = TextTable(columns: [
      .init("stage"), .init("members", .right), .init("partitions", .right), .init("messages waiting", .right),
      .init("to be retried", .right), .init("not due yet", .right), .init("dead letters", .right),
    ])
    for stage in report.stages {
      let backlog = stage.backlog
      table.append([
        stage.stage.rawValue, "\(stage.members)", "\(stage.assigned) of \(stage.partitions)", backlog?.lag.text ?? "unknown",
        backlog?.retries.text ?? "unknown", backlog.map { Spans.count($0.retriesNotDue) } ?? "unknown",
        backlog?.deadLetters.text ?? "unknown",
      ])
    }
    return table.text(width: width)
  }

  private var workers: String {
    var table = TextTable(columns: [
      .init("worker", flexible: true), .init("host", flexible: true), .init("partitions", .right), .init("running", .right),
      .init("held", .right), .init("delayed", .right), .init("up", .right), .init("state", flexible: true),
    ])
    for worker in report.stages.flatMap(\.workers) {
      let host = [worker.host, worker.pid.map { "\($0)" }].compactMap { $0 }.joined(separator: ":")
      table.append([
        worker.key, host, "\(worker.partitions)", "\(worker.running)", "\(worker.held)", "\(worker.delayed)",
        worker.startedAt.flatMap { Timestamp.parse($0) }.map { Self.span(report.at.timeIntervalSince($0)) } ?? "", worker.activityText,
      ])
    }
    return table.isEmpty ? "No worker reports.\n" : table.text(width: width)
  }

  private static func minute(_ time: String) -> String { Timestamp.parse(time) == nil ? time : "\(time.prefix(16))Z" }

  private func age(_ time: String) -> String {
    Timestamp.parse(time).map { "\(Self.span(report.at.timeIntervalSince($0))) ago" } ?? "at \(time)"
  }

  private static func span(_ seconds: TimeInterval) -> String { Spans.short(.seconds(Int(max(0, min(seconds, 1e9))))) }
}
