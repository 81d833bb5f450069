import JSON
import Kafka

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

  /// JSON without DEL and the C1 controls, which JSON need not escape but terminals may obey.
  static func escapingControls(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x7F {
        result += Array("\\u007f".utf8)
      } else if byte == 0xC2, index + 1 < bytes.count, bytes[index + 1] < 0xA0 {
        result += Array("\\u00\(String(bytes[index + 1], radix: 16))".utf8)
        index += 1
      } else {
        result.append(byte)
      }
      index += 1
    }
    return result
  }
}
