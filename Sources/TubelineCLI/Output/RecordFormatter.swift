import FoundationEssentials
import JSON
import Kafka

/// Turns records of a topic into lines.
struct RecordFormatter {
  enum Format: String, CaseIterable { case jsonl, csv, table }

  let kind: RecordKind
  let format: Format
  /// CSV: free text exactly as it is, even where a spreadsheet would take it for a formula.
  var isRaw = false
  /// JSON lines: the whole message, with topic, partition, offset, timestamp, key and headers.
  var showsMessage = false
  /// JSON lines for a terminal: control characters that JSON may hold as they are get escaped.
  var isForTerminal = false
  private var table: StreamingTable

  init(kind: RecordKind, format: Format, width: Int?, today: Date = Date()) {
    self.kind = kind
    self.format = format
    table = StreamingTable(columns: kind.columns.compactMap { $0.tableColumn(today: today) }, width: width)
  }

  /// The first line; before any record, so that an empty topic gives a valid file.
  func header() -> String {
    format == .csv ? CSVLine.text(kind.columns.map(\.name) + ["tombstone"]) : ""
  }

  /// - Parameter value: the record's JSON; nil is a tombstone.
  mutating func lines(_ record: ConsumedRecord, _ value: JSONValue?) -> [UInt8] {
    switch format {
    case .jsonl: return jsonLine(record, value)
    case .csv: return Array(csvLine(record, value).utf8)
    case .table: return Array(table.append(tableCells(record, value)).utf8)
    }
  }

  /// Rows that wait for the widths of others; to be called whenever no record is at hand.
  mutating func flush() -> String { format == .table ? table.flush() : "" }

  private func jsonLine(_ record: ConsumedRecord, _ value: JSONValue?) -> [UInt8] {
    var bytes: [UInt8]
    if showsMessage {
      bytes = MessageJSON.tree(record, value).bytes()
    } else if let value, let raw = record.value {
      // Line breaks between tokens are legal JSON, but not one line.
      bytes = raw.contains(0x0A) || raw.contains(0x0D) ? JSONTree(value).bytes() : raw
    } else {
      bytes = JSONTree.object([.init(kind.keyField, .string(key(record))), .init("tombstone", true)]).bytes()
    }
    if isForTerminal { bytes = MessageJSON.escapingControls(bytes) }
    return bytes + [0x0A]
  }

  private func csvLine(_ record: ConsumedRecord, _ value: JSONValue?) -> String {
    guard let value else {
      return CSVLine.text(kind.columns.map { $0.name == kind.keyField ? key(record) : "" } + ["true"])
    }
    let cells = kind.columns.map { column in
      let text = column.text(in: value)
      return column.isFreeText && !isRaw ? CSVLine.disarmed(text) : text
    }
    return CSVLine.text(cells + [""])
  }

  private func tableCells(_ record: ConsumedRecord, _ value: JSONValue?) -> [String] {
    let columns = kind.columns.filter { $0.heading != nil }
    guard let value else { return columns.map { $0.name == kind.keyField ? key(record) : $0.isFlexible ? "(tombstone)" : "" } }
    return columns.map { column in
      let text = column.text(in: value)
      return column.isRightAligned ? Int(text).map(Spans.count) ?? text : Self.shortTime(text)
    }
  }

  // 2015-06-25T01:50:54.000Z → 2015-06-25 01:50:54: a table is for people.
  private static func shortTime(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 24, bytes[10] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z"),
      bytes[4] == UInt8(ascii: "-")
    else { return text }
    return String(text.prefix(19)).replacing("T", with: " ")
  }

  private func key(_ record: ConsumedRecord) -> String { record.key.map { String(decoding: $0, as: UTF8.self) } ?? "" }
}
