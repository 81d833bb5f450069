import Telemetry

/// Writes statuses where they are wanted.
struct StatusDisplay {
  let format: StatusCommand.Format
  let isDetailed: Bool
  let isLive: Bool
  let invocation: Invocation

  private var isRedrawn: Bool {
    isLive && format == .table && invocation.output.isTerminal && TerminalSize.canRedraw(invocation.environment)
  }

  func callAsFunction(_ report: StatusReport) throws -> ExitCode {
    let output = invocation.output
    let unknown = report.unknown.map { VisibleText.of("\($0): no such request is known.") }
    let troubles = unknown + report.problems.map(VisibleText.of)
    // Tables of everything else would bury that nothing is known of what was asked for.
    if format == .table, !isLive, report.requests.isEmpty, !report.unknown.isEmpty {
      for sentence in unknown { invocation.messages.line(sentence) }
      return .incomplete
    }
    switch format {
    case .json: try output.write(report.json.bytes() + [0x0A])
    case .table where isRedrawn: try output.write(Self.drawing(report, troubles, isDetailed: isDetailed, on: .current))
    case .table:
      let view = StatusView(report: report, width: TerminalSize.columns(of: output), isDetailed: isDetailed)
      try output.write(view.text + (isLive ? "\n" : ""))
    }
    try output.flush()
    if !isRedrawn { for trouble in troubles { invocation.messages.line(trouble) } }
    return troubles.isEmpty ? .done : .incomplete
  }

  func trouble(_ text: String) { invocation.messages.line(VisibleText.of(text)) }

  /// The whole screen.
  static func drawing(_ report: StatusReport, _ troubles: [String], isDetailed: Bool, on screen: TerminalScreen) -> String {
    // Lines of standard error would be drawn over.
    let above = troubles.isEmpty ? "" : troubles.joined(separator: "\n") + "\n\n"
    let view = StatusView(
      report: report, width: screen.columns, isDetailed: isDetailed, rows: screen.room - screen.height(of: above))
    return screen.drawing(above + view.text)
  }
}
