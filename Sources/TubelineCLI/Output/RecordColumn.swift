import JSON

/// One field of a record for CSV and tables.
struct RecordColumn: Sendable {
  /// The field's path, with dots: `statistics.viewCount`.
  let path: String
  /// The column's name in CSV; the last part of the path unless it would be ambiguous.
  let name: String
  /// Written by people out there: may hold anything, also what a spreadsheet takes for a formula.
  var isFreeText = false
  /// The heading in a table; nil leaves the column to CSV.
  var heading: String?
  var isRightAligned = false
  var isFlexible = false
  var minimumWidth = 0

  init(_ path: String, name: String? = nil) {
    self.path = path
    self.name = name ?? path.split(separator: ".").last.map(String.init) ?? path
  }

  func text(in value: JSONValue) -> String {
    var place = value
    for part in path.split(separator: ".") {
      guard let member = place[named: String(part)] else { return "" }
      place = member
    }
    return Self.text(place)
  }

  private static func text(_ value: JSONValue) -> String {
    switch value.kind {
    case .string: value.string ?? ""
    case .number: value.int.map(String.init) ?? value.double.map { "\($0)" } ?? ""
    case .boolean: value.bool == true ? "true" : "false"
    case .null: ""
    case .array: value.elements.map(text).joined(separator: "|")
    case .object: String(decoding: JSONTree(value).bytes(), as: UTF8.self)
    }
  }

  func freeText() -> RecordColumn {
    var column = self
    column.isFreeText = true
    return column
  }

  func shown(_ heading: String, right: Bool = false, flexible: Bool = false, minimum: Int = 0) -> RecordColumn {
    var column = self
    column.heading = heading
    column.isRightAligned = right
    column.isFlexible = flexible
    column.minimumWidth = minimum
    return column
  }
}
