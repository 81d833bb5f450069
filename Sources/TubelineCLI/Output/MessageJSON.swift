import JSON
import Kafka
import Telemetry

/// A Kafka message as one JSON object.
enum MessageJSON {
  static func tree(_ record: ConsumedRecord, _ value: JSONValue?) -> JSONTree {
    var members: [JSONTree.Member] = [
      .init("topic", .string(record.topic)), .init("partition", .int(Int(record.partition))), .init("offset", .int(Int(record.offset))),
    ]
    if let timestamp = record.timestamp { members.append(.init("timestamp", .int(Int(timestamp)))) }
    members.append(.init("key", text(record.key)))
    members.append(.init("headers", .object(record.headers.map { .init($0.name, text($0.value)) })))
    members.append(.init("value", value.map { JSONTree($0) } ?? .null))
    return .object(members)
  }

  private static func text(_ bytes: [UInt8]?) -> JSONTree { bytes.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null }

  /// JSON without DEL, the C1 controls and what turns the writing direction, which JSON need not escape but terminals may obey.
  static func escapingControls(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 >= 0x7F }) else { return bytes }
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      // Below 0x20 there is white space between tokens only.
      guard scalar.value >= 0x20, VisibleText.isHarmful(scalar) else {
        result.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16)
      result.append(contentsOf: "\\u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)".unicodeScalars)
    }
    return Array(String(result).utf8)
  }
}
