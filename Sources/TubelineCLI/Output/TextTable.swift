import Telemetry

/// A table for people: columns as wide as their cells; where a terminal is too small, cells get brief, are shortened with `…`, or columns go.
struct TextTable: Sendable {
  enum Alignment: Sendable { case left, right }

  struct Column: Sendable {
    let title: String
    let alignment: Alignment
    /// Whether cells may be shortened when the terminal is narrow.
    let isFlexible: Bool
    /// Room for the longest value that is known to come.
    let minimum: Int
    /// When the column goes in a narrow terminal, the lowest first; nil is never: ids are there to be copied.
    let dispensable: Int?
    /// What a flexible column keeps as long as others can go instead.
    let comfort: Int
    /// What a cell says in a narrow terminal.
    let brief: (@Sendable (String) -> String)?

    init(
      _ title: String, _ alignment: Alignment = .left, flexible: Bool = false, minimum: Int = 0, dispensable: Int? = nil, comfort: Int = 16,
      brief: (@Sendable (String) -> String)? = nil
    ) {
      self.title = title
      self.alignment = alignment
      isFlexible = flexible
      self.minimum = minimum
      self.dispensable = dispensable
      self.comfort = comfort
      self.brief = brief
    }
  }

  /// What is shown of the columns.
  struct Layout: Sendable, Equatable {
    /// Indices into the table's columns.
    fileprivate(set) var shown: [Int]
    fileprivate(set) var brief: Set<Int> = []
    /// Of each column of the table.
    fileprivate(set) var widths: [Int]
    /// Where lines end; nil is nowhere.
    fileprivate var total: Int?

    fileprivate var excess: Int {
      guard let total else { return 0 }
      return max(0, shown.reduce(0) { $0 + widths[$1] } + TextTable.gap.count * (shown.count - 1) - total)
    }
  }

  let columns: [Column]
  private var rows: [[String]] = []

  private static let gap = "  "
  private static let narrowest = 8
  /// What texts of later rows may widen their column to.
  private static let roomy = 32

  init(columns: [Column]) { self.columns = columns }

  var isEmpty: Bool { rows.isEmpty }

  /// Cells in the order of the columns; control characters in them are made visible.
  mutating func append(_ cells: [String]) { rows.append(cells.map(VisibleText.of)) }

  /// - Parameters:
  ///   - width: columns of the terminal; nil is as many as needed.
  ///   - isCut: whether lines end at the width also where columns cannot give way any more.
  func text(width: Int? = nil, isCut: Bool = true) -> String {
    var layout = layout(within: width)
    if !isCut { layout.total = nil }
    return text(layout, header: true)
  }

  /// With a layout that was found before.
  func text(_ layout: Layout, header: Bool) -> String {
    let titles = header ? [line(columns.map(\.title), layout, isTitle: true) + "\n"] : []
    return (titles + rows.map { line($0, layout) + "\n" }).joined()
  }

  /// - Parameters:
  ///   - earlier: that of rows above: what is gone there stays so, and no column gets narrower unless it has to give way.
  ///   - keepsTexts: whether flexible columns stay as wide as they were above, once they are wide enough to read.
  func layout(within total: Int?, earlier: Layout? = nil, keepsTexts: Bool = false) -> Layout {
    var layout = earlier ?? Layout(shown: Array(columns.indices), widths: columns.map { max(TextWidth.of($0.title), $0.minimum) })
    layout.total = total
    for index in columns.indices {
      let isKept = earlier != nil && keepsTexts && columns[index].isFlexible
      let natural = isKept ? min(natural(index, layout), max(columns[index].comfort, Self.roomy)) : natural(index, layout)
      layout.widths[index] = max(layout.widths[index], natural)
    }
    for index in layout.shown where layout.excess > 0 && columns[index].brief != nil && !layout.brief.contains(index) {
      layout.brief.insert(index)
      layout.widths[index] = max(TextWidth.of(columns[index].title), natural(index, layout))
    }
    while layout.excess > 0 {
      let shrunk = shrunk(layout) { max(Self.narrowest, $0.comfort) }
      guard shrunk.excess > 0, let least = leastImportant(layout) else { break }
      layout.shown.removeAll { $0 == least }
    }
    layout = shrunk(layout) { max(Self.narrowest, $0.comfort) }
    return shrunk(layout) { _ in Self.narrowest }
  }

  private func leastImportant(_ layout: Layout) -> Int? {
    layout.shown.filter { columns[$0].dispensable != nil }.min { columns[$0].dispensable ?? .max < columns[$1].dispensable ?? .max }
  }

  private func natural(_ index: Int, _ layout: Layout) -> Int {
    rows.map { TextWidth.of(cell($0, index, layout)) }.max() ?? 0
  }

  /// The widest flexible column gives way first.
  private func shrunk(_ layout: Layout, to least: (Column) -> Int) -> Layout {
    var layout = layout
    while layout.excess > 0 {
      let flexible = layout.shown.filter { columns[$0].isFlexible && layout.widths[$0] > least(columns[$0]) }
      guard let widest = flexible.max(by: { layout.widths[$0] < layout.widths[$1] }) else { break }
      let next = flexible.filter { $0 != widest }.map { layout.widths[$0] }.max() ?? 0
      layout.widths[widest] -= max(1, min(layout.excess, layout.widths[widest] - max(next, least(columns[widest]))))
    }
    return layout
  }

  private func cell(_ cells: [String], _ index: Int, _ layout: Layout) -> String {
    guard index < cells.count else { return "" }
    return layout.brief.contains(index) ? columns[index].brief?(cells[index]) ?? cells[index] : cells[index]
  }

  private func line(_ cells: [String], _ layout: Layout, isTitle: Bool = false) -> String {
    let parts = layout.shown.map { index in
      let text = isTitle ? columns[index].title : cell(cells, index, layout)
      let clipped = TextWidth.clipped(text, to: layout.widths[index])
      return TextWidth.padded(clipped, to: layout.widths[index], right: columns[index].alignment == .right)
    }
    let line = parts.joined(separator: Self.gap)
    // Blanks at the end only get in the way of copying and comparing.
    let text = String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
    return layout.total.map { TextWidth.clipped(text, to: $0) } ?? text
  }
}
