import CLibrdkafka
import Glibc

/// What librdkafka says about its own properties: which client each is for, and which are aliases.
struct PropertyTable: Sendable {
  enum Side: String {
    case consumer = "C"
    case producer = "P"
  }

  static let shared = PropertyTable()

  private var sides: [String: String] = [:]
  private var aliases: [String: String] = [:]

  private init() {
    guard let text = kafka_property_table() else { return }
    defer { free(text) }
    for line in String(cString: text).split(separator: "\n") {
      let columns = line.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false).map { $0.trimmed }
      guard columns.count == 3, columns[0] != "Property", !columns[0].hasPrefix("-") else { continue }
      let side = columns[1]
      // A property of both tables (topic and global) fits where either does.
      sides[columns[0]] = sides[columns[0]].map { $0 == side ? side : "*" } ?? side
      if let alias = columns[2].firstRange(of: "Alias for `") {
        aliases[columns[0]] = String(columns[2][alias.upperBound...].prefix { $0 != "`" })
      }
    }
  }

  /// True for a property of neither table: setting it then tells whether it exists.
  func applies(_ property: String, to side: Side) -> Bool {
    guard let known = sides[property], known != "*" else { return true }
    return known.contains(side.rawValue)
  }

  func isSame(_ left: String, _ right: String) -> Bool { (aliases[left] ?? left) == (aliases[right] ?? right) }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}
