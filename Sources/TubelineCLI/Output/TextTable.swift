import Telemetry

/// A table for people: columns as wide as their cells, narrowed where a terminal is too small.
struct TextTable: Sendable {
  enum Alignment: Sendable { case left, right }

  struct Column: Sendable {
    let title: String
    let alignment: Alignment
    /// Whether the column gives way when the terminal is narrow.
    let isFlexible: Bool
    /// Room for the longest value that is known to come.
    let minimum: Int

    init(_ title: String, _ alignment: Alignment = .left, flexible: Bool = false, minimum: Int = 0) {
      self.title = title
      self.alignment = alignment
      isFlexible = flexible
      self.minimum = minimum
    }
  }

  let columns: [Column]
  private var rows: [[String]] = []

  private static let gap = "  "
  private static let narrowest = 8

  init(columns: [Column]) { self.columns = columns }

  var isEmpty: Bool { rows.isEmpty }

  /// Cells in the order of the columns; control characters in them are made visible.
  mutating func append(_ cells: [String]) { rows.append(cells.map(VisibleText.of)) }

  /// - Parameter width: columns of the terminal; nil is as many as needed.
  func text(width: Int? = nil, header: Bool = true) -> String {
    text(widths: widths(within: width), header: header)
  }

  /// With widths that were found before.
  func text(widths: [Int], header: Bool) -> String {
    let lines = (header ? [columns.map(\.title)] : []) + rows
    return lines.map { line($0, widths) + "\n" }.joined()
  }

  /// - Parameter earlier: widths of rows above, below which no column falls unless it has to give way.
  func widths(within total: Int?, earlier: [Int]? = nil) -> [Int] {
    var widths = columns.indices.map { index in
      let cells = rows.map { index < $0.count ? TextWidth.of($0[index]) : 0 }.max() ?? 0
      return max(TextWidth.of(columns[index].title), columns[index].minimum, cells, earlier?[index] ?? 0)
    }
    guard let total else { return widths }
    var excess = widths.reduce(0, +) + Self.gap.count * (columns.count - 1) - total
    // The widest flexible column gives way first.
    while excess > 0 {
      let flexible = columns.indices.filter { columns[$0].isFlexible && widths[$0] > Self.narrowest }
      guard let widest = flexible.max(by: { widths[$0] < widths[$1] }) else { break }
      let next = flexible.filter { $0 != widest }.map { widths[$0] }.max() ?? Self.narrowest
      let step = max(1, min(excess, widths[widest] - max(next, Self.narrowest)))
      widths[widest] -= step
      excess -= step
    }
    return widths
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var parts: [String] = []
    for (index, column) in columns.enumerated() {
      let cell = TextWidth.clipped(index < cells.count ? cells[index] : "", to: widths[index])
      parts.append(TextWidth.padded(cell, to: widths[index], right: column.alignment == .right))
    }
    let line = parts.joined(separator: Self.gap)
    // Blanks at the end only get in the way of copying and comparing.
    return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
  }
}
