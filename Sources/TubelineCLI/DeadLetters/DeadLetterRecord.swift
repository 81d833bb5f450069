import FoundationEssentials
import Kafka
import Messages
import Telemetry

/// A message that a stage gave up on, as it lies in the stage's dead-letter topic.
struct DeadLetterRecord: Sendable {
  let id: DeadLetterID
  let message: ReceivedMessage
  /// What was done about it; nil while it waits.
  let settlement: Settlement?

  var code: String? { message.headers[HeaderName.errorCode] }
  var reason: String? { message.headers[HeaderName.errorMessage] }
  var attempt: String? { message.headers[HeaderName.attempt] }
  /// As the stage wrote it.
  var failedAtText: String? { message.headers[HeaderName.failedAt] }

  /// By the stage's word, or else by the broker's.
  var failedAt: Date? {
    failedAtText.flatMap(Timestamp.parse) ?? message.timestamp.map { Date(timeIntervalSince1970: Double($0) / 1000) }
  }

  /// The topic that the message was read from, by its full name.
  var originTopic: String? { message.headers[HeaderName.originTopic] }

  /// Where it stood there; nil when the headers do not tell.
  var origin: (partition: Int32, offset: Int64)? {
    guard let partition = message.headers[HeaderName.originPartition].flatMap({ Int32($0) }),
      let offset = message.headers[HeaderName.originOffset].flatMap({ Int64($0) })
    else { return nil }
    return (partition, offset)
  }

  var originText: String? {
    guard let originTopic else { return nil }
    return origin.map { "\(originTopic)-\($0.partition)-\($0.offset)" } ?? originTopic
  }

  /// `waiting`, `replayed` or `discarded`.
  var state: String { settlement?.action.rawValue ?? "waiting" }
}
