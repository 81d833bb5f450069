import Telemetry

/// What a redrawn terminal shows.
struct TerminalScreen: Sendable, Equatable {
  let columns: Int
  let rows: Int

  /// Of standard output.
  static var current: TerminalScreen {
    TerminalScreen(columns: Console.Stream.output.columns ?? 80, rows: Console.Stream.output.rows ?? 24)
  }

  /// Rows for text: the cursor stands below it.
  var room: Int { max(1, rows - 2) }

  /// How many rows of the terminal a text takes whose last line ends with a line break.
  func height(of text: String) -> Int {
    text.isEmpty ? 0 : lines(text).reduce(0) { $0 + height(ofLine: $1) }
  }

  /// From the terminal's first line on; where not everything fits, the last line says how much is missing.
  func drawing(_ text: String) -> String {
    let all = lines(text)
    var shown = all.prefix(fitting(all, room)).map(String.init)
    if shown.count < all.count {
      let count = fitting(all, room - 1)
      let hidden = all.count - count
      shown = shown.prefix(count) + [TextWidth.clipped("… \(Spans.count(hidden)) more \(hidden == 1 ? "line" : "lines")", to: columns)]
    }
    return "\u{1B}[H\u{1B}[J" + shown.joined(separator: "\n") + "\n"
  }

  /// How many of the lines fit into so many rows.
  private func fitting(_ lines: [Substring], _ rows: Int) -> Int {
    var left = rows
    return lines.prefix { line in
      left -= height(ofLine: line)
      return left >= 0
    }.count
  }

  private func lines(_ text: String) -> [Substring] {
    (text.last == "\n" ? text.dropLast() : text[...]).split(separator: "\n", omittingEmptySubsequences: false)
  }

  private func height(ofLine line: Substring) -> Int { max(1, (TextWidth.of(String(line)) + columns - 1) / max(1, columns)) }
}
