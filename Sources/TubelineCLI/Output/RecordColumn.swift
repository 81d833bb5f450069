import FoundationEssentials
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
  /// When the column goes in a narrow terminal, the lowest first; nil is never.
  var dispensable: Int?
  var time: Time?

  /// What matters of a time where there is little room.
  enum Time: Sendable { case day, minute }

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

  func shown(
    _ heading: String, right: Bool = false, flexible: Bool = false, minimum: Int = 0, dispensable: Int? = nil, time: Time? = nil
  ) -> RecordColumn {
    var column = self
    column.heading = heading
    column.isRightAligned = right
    column.isFlexible = flexible
    column.minimumWidth = minimum
    column.dispensable = dispensable
    column.time = time
    return column
  }

  /// nil when tables do not show it.
  func tableColumn(today: Date) -> TextTable.Column? {
    guard let heading else { return nil }
    let brief =
      switch time {
      case .day: BriefTime.day(today: today)
      case .minute: BriefTime.minute(today: today)
      case nil: nil as (@Sendable (String) -> String)?
      }
    return TextTable.Column(
      heading, isRightAligned ? .right : .left, flexible: isFlexible, minimum: minimumWidth, dispensable: dispensable, brief: brief)
  }
}
