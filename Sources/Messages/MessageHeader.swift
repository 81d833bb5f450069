/// A Kafka header. A null value and an empty one are different.
public struct MessageHeader: Hashable, Sendable {
  public let name: String
  public let value: [UInt8]?

  public init(_ name: String, _ value: [UInt8]?) {
    self.name = name
    self.value = value
  }

  public init(_ name: String, _ text: String) {
    self.init(name, Array(text.utf8))
  }

  /// The value as text; `nil` when it is null or no UTF-8.
  public var text: String? { value.flatMap { String(validating: $0, as: UTF8.self) } }
}

extension [MessageHeader] {
  /// The last header of that name counts, as in Kafka's own clients.
  public subscript(_ name: String) -> String? { last { $0.name == name }?.text }

  /// Replaces every header of that name by one.
  public mutating func set(_ name: String, _ text: String) {
    removeAll { $0.name == name }
    append(MessageHeader(name, text))
  }
}

/// The names of the headers that Tubeline reads and writes (CONTRACT: headers).
public enum HeaderName {
  public static let specVersion = "ce_specversion"
  public static let id = "ce_id"
  public static let source = "ce_source"
  public static let type = "ce_type"
  public static let time = "ce_time"
  /// How the source of every message of ours begins.
  public static let ownSource = "tubeline/"
  public static let traceparent = "traceparent"
  public static let stage = "tubeline-stage"
  public static let attempt = "tubeline-attempt"
  public static let notBefore = "tubeline-not-before"
  public static let errorCode = "tubeline-error-code"
  public static let errorMessage = "tubeline-error-message"
  public static let originTopic = "tubeline-origin-topic"
  public static let originPartition = "tubeline-origin-partition"
  public static let originOffset = "tubeline-origin-offset"
  public static let failedAt = "tubeline-failed-at"
  /// When the request was published that the message follows from.
  public static let requestedAt = "tubeline-requested-at"
  /// How often the message was put behind others on its retry topic.
  public static let requeued = "tubeline-requeued"
  /// On a dead letter whose value the broker refused for its size: how many bytes are missing.
  public static let omittedBytes = "tubeline-omitted-bytes"

  /// Whether Tubeline writes this header anew for each message, so that an incoming one is not handed on.
  public static func isOwn(_ name: String) -> Bool {
    name.hasPrefix("ce_") || name.hasPrefix("tubeline-") || name == "content-type" || name == traceparent
  }
}
