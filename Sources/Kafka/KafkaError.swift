/// An error of the client library or of a broker.
///
/// Codes: https://docs.confluent.io/platform/current/clients/librdkafka/html/rdkafka_8h.html; negative ones are the client's own.
public struct KafkaError: Error, Hashable, Sendable, CustomStringConvertible {
  public let code: Int32
  /// The code's name, such as `_ALL_BROKERS_DOWN` or `MSG_SIZE_TOO_LARGE`.
  public let name: String
  public let message: String
  /// The client is unusable from now on and must be replaced.
  public let isFatal: Bool
  /// The same call may succeed later.
  public let isRetriable: Bool
  /// The running transaction must be aborted; a new one may succeed.
  public let isAbortable: Bool

  public init(code: Int32, name: String, message: String, isFatal: Bool = false, isRetriable: Bool = false, isAbortable: Bool = false) {
    self.code = code
    self.name = name
    self.message = message
    self.isFatal = isFatal
    self.isRetriable = isRetriable
    self.isAbortable = isAbortable
  }

  public var description: String { "\(name): \(message)" }

  /// The record is larger than the client or the broker accepts: sending it again is useless.
  public var isTooLarge: Bool { ["MSG_SIZE_TOO_LARGE", "RECORD_LIST_TOO_LARGE"].contains(name) }

  /// Another producer of the same transactional id has begun, or the broker ended a transaction that took too long; always fatal.
  public var isFenced: Bool { ["_FENCED", "INVALID_PRODUCER_EPOCH", "PRODUCER_FENCED"].contains(name) }

  /// The consumer is no member of its group's present generation: its offsets are refused, and its partitions may be another's.
  public var isStaleMember: Bool { ["ILLEGAL_GENERATION", "UNKNOWN_MEMBER_ID", "FENCED_INSTANCE_ID"].contains(name) }

  /// No connection: the client tries again by itself, and its log says why.
  public var isConnectionTrouble: Bool { ["_TRANSPORT", "_ALL_BROKERS_DOWN", "_RESOLVE"].contains(name) && !isFatal }

  /// The client was closed before or during the call.
  public var isClosed: Bool { self == .closed }

  static let closed = KafkaError(code: -197, name: "_DESTROY", message: "the client is closed")
  static let interrupted = KafkaError(code: -163, name: "_INTR", message: "cancelled before the record was sent")
  static let abandoned = KafkaError(code: -163, name: "_INTR", message: "cancelled; the call may still have its effect")
}
