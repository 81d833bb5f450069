import Telemetry

/// The live view's lines: a pure function of what is known.
struct ProgressView: Sendable {
  struct Quota: Sendable, Equatable {
    var spent: Int
    var left: Int
    /// Until the next reset.
    var untilReset: Duration

    var text: String { "\(brief), \(Spans.count(left)) left" }

    var brief: String { "\(Spans.count(spent)) \(spent == 1 ? "unit" : "units") spent" }
  }

  var state: HarvestState
  var quota: Quota?
  var wait: QuotaWait?
  var recordsPerSecond: Double
  var elapsed: Duration

  /// One line for logs and pipes.
  var sentence: String {
    let expected = state.expected.map { " of \(Spans.count($0))" } ?? ""
    var text =
      "\(Spans.short(elapsed)): \(Spans.count(state.written))\(expected) records, \(state.finished) of \(state.requests.count) requests done"
    if let quota { text += ", \(quota.text)" }
    if let wait { text += "; \(waiting(wait))" }
    return text
  }

  func lines(columns: Int, rows: Int, isColoured: Bool) -> [String] {
    let room = max(1, rows - 4)
    let shown = select(room)
    let nameWidth = min(max(shown.map { TextWidth.of(label($0)) }.max() ?? 0, 8), max(8, columns / 3))
    var lines = shown.map { line($0, nameWidth, columns, isColoured) }
    if shown.count < state.requests.count {
      let open = state.requests.count { $0.isOpen }
      let rest = "… \(state.finished) of \(state.requests.count) requests done, \(open) under way"
      lines.append(TextWidth.clipped(rest, to: columns - 1))
    }
    lines.append(total(columns - 1))
    if let wait { lines.append(painted(waiting(wait, columns - 1), "33", isColoured)) }
    return lines
  }

  // Where the whole does not fit, whole parts go; how long it has taken stays as long as it can.
  private func total(_ columns: Int) -> String {
    let records = "\(Spans.count(state.written)) records"
    let rate = "\(records), \(Int(recordsPerSecond.rounded()))/s"
    let spent = quota.map { [$0.text, $0.brief] } ?? []
    let time = Spans.short(elapsed)
    let forms = spent.map { [rate, $0, time] } + [[rate, time], [records, time], [records]]
    let texts = forms.map { $0.joined(separator: " · ") }
    return texts.first { TextWidth.of($0) <= columns } ?? TextWidth.clipped(records, to: columns)
  }

  private func waiting(_ wait: QuotaWait) -> String {
    guard wait.isUsedUp, let quota else { return "Waiting: \(wait.text)." }
    return "Waiting: \(wait.text); it goes on in \(Spans.short(quota.untilReset)). Ctrl-C stops, what is written stays."
  }

  // Where the whole does not fit, the reason gives way: that it goes on by itself, and when, matters more.
  private func waiting(_ wait: QuotaWait, _ columns: Int) -> String {
    let whole = waiting(wait)
    guard TextWidth.of(whole) > columns, wait.isUsedUp, let quota else { return TextWidth.clipped(whole, to: columns) }
    let brief = "Waiting for units; goes on in \(Spans.short(quota.untilReset)). Ctrl-C stops, what is written stays."
    return TextWidth.clipped(brief, to: columns)
  }

  // Open requests first, then those that ended last.
  private func select(_ room: Int) -> [HarvestState.Request] {
    guard state.requests.count > room else { return state.requests }
    let open = state.requests.filter(\.isOpen)
    let finished = state.requests.filter { $0.outcome != nil }
    return Array((finished.suffix(max(0, room - open.count)) + open).prefix(room))
  }

  private func label(_ request: HarvestState.Request) -> String { VisibleText.of(request.title ?? request.name) }

  private func line(_ request: HarvestState.Request, _ nameWidth: Int, _ columns: Int, _ isColoured: Bool) -> String {
    let name = TextWidth.padded(TextWidth.clipped(label(request), to: nameWidth), to: nameWidth)
    let count = TextWidth.padded(counts(request), to: 16, right: true)
    let (mark, colour): (String, String?) =
      switch request.outcome {
      case .completed: ("done", "32")
      case .unsuccessful(let kind, _): (kind.rawValue, "31")
      case .short: ("incomplete", "31")
      case nil: (request.isPublished ? "" : "waits", nil)
      }
    let barWidth = min(40, columns - nameWidth - 16 - 10 - 4)
    let narrow = columns - 1 - TextWidth.of(counts(request)) - 1
    if TextWidth.of(name) + 1 + TextWidth.of(count) > columns - 1 {
      // How far it is matters more than what it is called.
      let brief = TextWidth.clipped(label(request), to: min(nameWidth, max(0, narrow)))
      return TextWidth.clipped(brief.isEmpty ? counts(request) : "\(brief) \(counts(request))", to: columns - 1)
    }
    let row = barWidth >= 5 ? "\(name) \(bar(request, barWidth)) \(count) " : "\(name) \(count) "
    // A longer row would wrap, and the next drawing erase too little.
    let room = columns - 1 - TextWidth.of(row)
    guard room > 0 else { return TextWidth.clipped(row, to: columns - 1) }
    let clipped = TextWidth.clipped(mark, to: room)
    return row + (colour.map { painted(clipped, $0, isColoured) } ?? clipped)
  }

  private func counts(_ request: HarvestState.Request) -> String {
    guard let expected = request.expected, request.outcome == nil || request.outcome == .completed else {
      return Spans.count(request.written)
    }
    return "\(Spans.count(request.written))/\(Spans.count(expected))"
  }

  private func bar(_ request: HarvestState.Request, _ width: Int) -> String {
    let share =
      switch request.outcome {
      case .completed: 1.0
      case .unsuccessful, .short: 0.0
      case nil: request.expected.map { $0 > 0 ? Double(request.written) / Double($0) : 0 } ?? 0
      }
    let filled = min(width, max(0, Int(share * Double(width))))
    return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
  }

  private func painted(_ text: String, _ colour: String, _ isColoured: Bool) -> String {
    isColoured ? "\u{1B}[\(colour)m\(text)\u{1B}[0m" : text
  }
}
