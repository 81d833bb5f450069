import FoundationEssentials
public import JSON
import Telemetry

/// A message's value: JSON in one of the contract's shapes.
public protocol Payload: Sendable {
  /// The topic that carries it.
  static var topic: Topic { get }
  /// The CloudEvents type without its frame: `channel-details` of `tubeline.channel-details.v1`.
  static var kind: StaticString { get }
  /// The Kafka key.
  var key: String { get }
  /// The message's place among all messages of its request: `page/3`. It makes the CloudEvents id.
  var place: String { get }
  func write(to writer: inout JSONWriter)
}

extension Payload {
  /// The value's bytes.
  public var bytes: [UInt8] {
    var writer = JSONWriter(capacity: 2048)
    write(to: &writer)
    return writer.bytes
  }
}

/// A message that cannot be used: the dead letter's code and a sentence for people.
public struct PayloadError: Error, Equatable, Sendable {
  public let code: DeadLetterCode
  public let message: String

  public init(_ code: DeadLetterCode, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// Why a message ended in a dead-letter topic (CONTRACT: error codes).
public enum DeadLetterCode: String, Sendable, CaseIterable {
  case emptyMessage, tombstone, invalidUTF8, invalidJSON, invalidRequest, unknownReference, messageTooLarge, attemptsExhausted,
    invalidMessage
}

/// Reads members of a JSON object and names the one that is wrong.
struct FieldReader {
  let value: JSONValue
  let code: DeadLetterCode

  // What every JSON reader can hold; sums of a few such numbers do not overflow.
  private static let largestCount = 1 << 53

  init(_ value: JSONValue, code: DeadLetterCode, what: String) throws(PayloadError) {
    guard value.kind == .object else { throw PayloadError(code, "\(what) must be a JSON object.") }
    self.value = value
    self.code = code
  }

  /// The member, unless it is absent or null: readers are lenient about null although writers never send it.
  private func present(_ key: StaticString) -> JSONValue? {
    guard let member = value[key], !member.isNull else { return nil }
    return member
  }

  func string(_ key: StaticString) throws(PayloadError) -> String? {
    guard let member = present(key) else { return nil }
    guard let text = member.string else { throw PayloadError(code, "\"\(key)\" must be a string.") }
    return text
  }

  /// Of a table's names.
  func string(named key: String) throws(PayloadError) -> String? {
    guard let member = value[named: key], !member.isNull else { return nil }
    guard let text = member.string else { throw PayloadError(code, "\"\(key)\" must be a string.") }
    return text
  }

  func required(_ key: StaticString) throws(PayloadError) -> String {
    guard let text = try string(key), !text.isEmpty else { throw PayloadError(code, "\"\(key)\" is missing or empty.") }
    return text
  }

  func bool(_ key: StaticString) throws(PayloadError) -> Bool? {
    guard let member = present(key) else { return nil }
    guard let truth = member.bool else { throw PayloadError(code, "\"\(key)\" must be true or false.") }
    return truth
  }

  func count(_ key: StaticString, atLeast least: Int = 0) throws(PayloadError) -> Int? {
    guard let member = present(key) else { return nil }
    guard member.kind == .number, let number = member.int, (least...Self.largestCount).contains(number) else {
      throw PayloadError(code, "\"\(key)\" must be a whole number of at least \(least).")
    }
    return number
  }

  /// An array of strings; empty when it is absent.
  func strings(_ key: StaticString) throws(PayloadError) -> [String] {
    guard let member = present(key) else { return [] }
    guard member.kind == .array else { throw PayloadError(code, "\"\(key)\" must be an array of strings.") }
    var texts: [String] = []
    for element in member.elements {
      guard let text = element.string else { throw PayloadError(code, "\"\(key)\" must be an array of strings.") }
      texts.append(text)
    }
    return texts
  }

  func time(_ key: StaticString) throws(PayloadError) -> Date? {
    guard let text = try string(key) else { return nil }
    guard let date = Timestamp.parse(text) else {
      throw PayloadError(code, "\"\(key)\" must be a time such as 2026-01-31T00:00:00Z (RFC 3339).")
    }
    return date
  }

  func object(_ key: StaticString) throws(PayloadError) -> JSONValue? {
    guard let member = present(key) else { return nil }
    guard member.kind == .object else { throw PayloadError(code, "\"\(key)\" must be an object.") }
    return member
  }
}
