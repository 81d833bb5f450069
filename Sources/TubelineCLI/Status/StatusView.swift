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
  /// Rows of the terminal that all has to fit into; `nil` is as many as needed.
  var rows: Int?

  /// With room for fewer rows of requests, one line stands for all of them.
  private static let fewest = 3

  /// What people paste as a reference can be a whole page of text.
  private static let widest = 60

  /// Where an id leaves no room for anything else, it gives way: what it is about, and how far, matters more.
  private static let narrow = 60

  var text: String {
    var others = [stages, workers]
    if let quota = report.quota { others.append(QuotaShowCommand.table(quota, width: width)) }
    if isDetailed { others.insert(details, at: 0) }
    let below = others.filter { !$0.isEmpty }.joined(separator: "\n")
    return requests(rows.map { $0 - 1 - below.count { $0 == "\n" } }) + "\n" + below
  }

  // One's request ids are a choice: they are not left out.
  private func shown(_ room: Int?) -> ArraySlice<RequestStatus> {
    let needed = 1 + report.requests.count + (report.omitted > 0 ? 1 : 0)
    guard let room, !isDetailed, needed > room else { return report.requests[...] }
    // The title, and the line that tells how many are left out.
    return room - 2 < Self.fewest ? [] : report.requests.prefix(room - 2)
  }

  /// All requests in one line: `43 requests: 3 running, 17 completed, 23 older`.
  private var summary: String {
    let states = RequestStatus.State.allCases.compactMap { state in
      let count = report.requests.count { $0.state == state }
      return count == 0 ? nil : "\(Spans.count(count)) \(state.rawValue)"
    }
    let count = report.requests.count + report.omitted
    let parts = states + (report.omitted > 0 ? ["\(Spans.count(report.omitted)) older"] : [])
    let text = "\(Spans.count(count)) \(count == 1 ? "request" : "requests"): \(parts.joined(separator: ", "))"
    return (width.map { TextWidth.clipped(text, to: $0) } ?? text) + "\n"
  }

  private func requests(_ room: Int?) -> String {
    guard !report.requests.isEmpty else { return report.isActiveOnly ? "No active requests.\n" : "No requests.\n" }
    let shown = shown(room)
    if shown.isEmpty { return summary }
    let showsSearches = shown.contains { $0.searches > 0 }
    let isNarrow = width.map { $0 < Self.narrow } ?? false
    let columns: [TextTable.Column] = [
      .init("request", flexible: isNarrow, comfort: 10), .init("state"), .init("channel", flexible: true, dispensable: 6),
      .init("pages", .right, dispensable: 2),
      .init("videos", .right, dispensable: 7), .init("unavailable", .right, dispensable: 1), .init("units", .right, dispensable: 3),
    ]
    let searches: [TextTable.Column] = showsSearches ? [.init("searches", .right, dispensable: 3)] : []
    var table = TextTable(
      columns: columns + searches + [
        .init("begun", dispensable: 4, brief: BriefTime.day(today: report.at)), .init("last event", dispensable: 5),
      ])
    for request in shown {
      let counts = [
        Spans.count(request.pages), Self.videos(request), Spans.count(request.unavailable), Spans.count(request.units),
      ]
      table.append(
        [request.id, request.stateWord, TextWidth.clipped(request.title ?? request.reference ?? "", to: Self.widest)]
          + counts + (showsSearches ? [Spans.count(request.searches)] : [])
          + [request.begun.map { Self.minute($0) } ?? "", request.last.map { "\($0.kind.rawValue), \(age($0.at))" } ?? "none"])
    }
    return table.text(width: width) + more(shown.count)
  }

  private func more(_ shown: Int) -> String {
    let hidden = report.requests.count - shown
    guard hidden > 0 else { return report.omitted == 0 ? "" : "and \(Spans.count(report.omitted)) more: --limit N shows N\n" }
    let omitted = hidden + report.omitted
    return "and \(Spans.count(omitted)) more request\(omitted == 1 ? "" : "s"); --active, or a request id, shows them\n"
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
      return "\(VisibleText.of(request.id)): \(request.stateWord)\n" + lines.joined()
    }.joined()
  }

  private var stages: String {
    var table = TextTable(columns: [
      .init("stage"), .init("members", .right, dispensable: 2), .init("partitions", .right, dispensable: 3),
      .init("messages waiting", .right), .init("to be retried", .right, dispensable: 4), .init("not due yet", .right, dispensable: 1),
      .init("dead letters", .right, dispensable: 5),
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
      .init("worker", flexible: true, comfort: 20), .init("host", flexible: true, dispensable: 1),
      .init("partitions", .right, dispensable: 5), .init("running", .right, dispensable: 6), .init("held", .right, dispensable: 2),
      .init("delayed", .right, dispensable: 3), .init("up", .right, dispensable: 4), .init("state", flexible: true, comfort: 40),
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
