import FoundationEssentials
import JSON
import Messages
import Telemetry

/// A dead letter for people and for programs.
enum DeadLetterText {
  /// For a terminal: why, where from, all headers, and the original bytes; nothing in it moves a cursor.
  static func page(_ letter: DeadLetterRecord, asHex: Bool) -> String {
    let message = letter.message
    let state = letter.settlement.map { "\($0.action.rawValue) \($0.time)" } ?? "waiting"
    var text = row("letter", "\(letter.id), \(state)")
    text += row("why", "\(letter.code ?? "unknown"): \(letter.reason ?? "no reason was given")")
    text += row(
      "failed", "\(letter.failedAtText ?? "at an unknown time") in stage \(letter.id.stage.rawValue), attempt \(letter.attempt ?? "?")")
    text += row("origin", letter.originText ?? "unknown")
    text += row("key", message.key.map(shown) ?? "(null)")
    text += "headers\n"
    for header in message.headers { text += "  \(VisibleText.of(header.name)): \(header.value.map(shown) ?? "(null)")\n" }
    guard let value = message.value else { return text + row("value", "(null)") }
    text += row("value", "\(Spans.count(value.count)) bytes")
    let lines = asHex ? VisibleBytes.hexDump(value) : VisibleBytes.lines(value)
    return text + lines.map { "  \($0)\n" }.joined()
  }

  private static func row(_ name: String, _ value: String) -> String { TextWidth.padded(name, to: 9) + VisibleText.of(value) + "\n" }

  private static func shown(_ bytes: [UInt8]) -> String { bytes.isEmpty ? "(empty)" : VisibleBytes.line(bytes) }

  /// One object; with its headers and bytes or without. Bytes that are no UTF-8 are members named `…Base64`.
  static func json(_ letter: DeadLetterRecord, isWhole: Bool) -> JSONTree {
    let message = letter.message
    var members: [JSONTree.Member] = [
      .init("letter", .string(letter.id.description)), .init("state", .string(letter.state)),
      .init("stage", .string(letter.id.stage.rawValue)), .init("partition", .int(Int(letter.id.partition))),
      .init("offset", .int(Int(letter.id.offset))),
    ]
    if let settlement = letter.settlement { members.append(.init("settledAt", .string(settlement.time))) }
    for (name, text) in [("failedAt", letter.failedAtText), ("code", letter.code), ("message", letter.reason)] {
      if let text { members.append(.init(name, .string(text))) }
    }
    if let attempt = letter.attempt.flatMap({ Int($0) }) { members.append(.init("attempt", .int(attempt))) }
    if let topic = letter.originTopic { members.append(.init("origin", origin(topic, letter))) }
    if let timestamp = message.timestamp { members.append(.init("timestamp", .int(Int(timestamp)))) }
    members.append(bytes("key", message.key))
    guard isWhole else { return .object(members + [.init("bytes", .int(message.value?.count ?? 0))]) }
    // A list, because names may come twice.
    members.append(.init("headers", .array(message.headers.map { .object([.init("name", .string($0.name)), bytes("value", $0.value)]) })))
    return .object(members + [bytes("value", message.value)])
  }

  private static func origin(_ topic: String, _ letter: DeadLetterRecord) -> JSONTree {
    var members = [JSONTree.Member("topic", .string(topic))]
    if let origin = letter.origin {
      members += [.init("partition", .int(Int(origin.partition))), .init("offset", .int(Int(origin.offset)))]
    }
    return .object(members)
  }

  private static func bytes(_ name: String, _ bytes: [UInt8]?) -> JSONTree.Member {
    guard let bytes else { return .init(name, .null) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return .init(name + "Base64", .string(Data(bytes).base64EncodedString()))
    }
    return .init(name, .string(text))
  }
}
