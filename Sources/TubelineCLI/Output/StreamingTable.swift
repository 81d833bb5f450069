/// A table whose rows keep coming: the first ones decide on the layout. Later ones widen what would cut them; in a terminal, texts that may be
/// shortened are, since a single long one would push the columns out from under their titles.
struct StreamingTable {
  private static let sample = 200
  private let width: Int?
  private let columns: [TextTable.Column]
  private var pending: TextTable
  private var count = 0
  private var layout: TextTable.Layout?

  init(columns: [TextTable.Column], width: Int?) {
    self.columns = columns
    self.width = width
    pending = TextTable(columns: columns)
  }

  mutating func append(_ cells: [String]) -> String {
    pending.append(cells)
    count += 1
    return count >= Self.sample ? flush() : ""
  }

  mutating func flush() -> String {
    guard count > 0 else { return "" }
    let used = pending.layout(within: width, earlier: layout, keepsTexts: width != nil)
    // Where wider rows make columns go or get brief, the titles above are no longer theirs.
    let hasOtherColumns = used.shown != layout?.shown || used.brief != layout?.brief
    layout = used
    defer {
      pending = TextTable(columns: columns)
      count = 0
    }
    return pending.text(used, header: hasOtherColumns)
  }
}
