import FoundationEssentials
public import Messages
import Telemetry

/// Messages that leave their way: to a stage's retry topic or to its dead-letter topic. Key, bytes and headers stay as they came.
public enum DeadLetter {
  private static let longestMessage = 1000

  /// The dead letter of a message.
  public static func letter(_ message: ReceivedMessage, stage: StageName, attempt: Int, because rejection: Rejection, at time: String)
    -> OutgoingMessage
  {
    var headers = described(message, stage: stage, attempt: attempt, because: rejection)
    headers.removeAll { $0.name == HeaderName.notBefore }
    headers.set(HeaderName.failedAt, time)
    return OutgoingMessage(topic: .dead(stage), key: message.key, value: message.value, headers: headers)
  }

  /// The message on its stage's retry topic.
  public static func retry(
    _ message: ReceivedMessage, stage: StageName, attempt: Int, notBefore: String, because rejection: Rejection
  ) -> OutgoingMessage {
    var headers = described(message, stage: stage, attempt: attempt, because: rejection)
    headers.set(HeaderName.notBefore, notBefore)
    return OutgoingMessage(topic: .retry(stage), key: message.key, value: message.value, headers: headers)
  }

  /// A message on its stage's retry topic, behind those that are there now.
  public static func requeued(_ message: ReceivedMessage, stage: StageName) -> OutgoingMessage {
    OutgoingMessage(topic: .retry(stage), key: message.key, value: message.value, headers: counted(message.headers))
  }

  /// The message on its stage's retry topic although nothing was wrong with it.
  static func postponed(
    _ message: ReceivedMessage, stage: StageName, attempt: Int, notBefore: String, because rejection: Rejection
  ) -> OutgoingMessage {
    let retry = retry(message, stage: stage, attempt: attempt, notBefore: notBefore, because: rejection)
    return OutgoingMessage(topic: retry.topic, key: retry.key, value: retry.value, headers: counted(retry.headers))
  }

  private static func counted(_ headers: [MessageHeader]) -> [MessageHeader] {
    var headers = headers
    let count = headers[HeaderName.requeued].flatMap { Int($0) } ?? 0
    headers.set(HeaderName.requeued, String(min(max(count, 0), 1_000_000) + 1))
    return headers
  }

  private static func described(_ message: ReceivedMessage, stage: StageName, attempt: Int, because rejection: Rejection) -> [MessageHeader]
  {
    var headers = message.headers
    headers.set(HeaderName.stage, stage.rawValue)
    headers.set(HeaderName.attempt, String(attempt))
    headers.set(HeaderName.errorCode, rejection.code.rawValue)
    // A text without a trace belongs to the one in which it was handled first.
    if let trace = TraceContext.current, message.trace == nil { headers.set(HeaderName.traceparent, trace.traceparent) }
    // The retry topic has times of its own.
    if let time = message.requestedAt { headers.set(HeaderName.requestedAt, Timestamp.rfc3339(time)) }
    headers.set(HeaderName.errorMessage, String(rejection.message.prefix(longestMessage)))
    if message.retryOrigin == nil {
      headers.set(HeaderName.originTopic, message.source.topic)
      headers.set(HeaderName.originPartition, String(message.source.partition))
      headers.set(HeaderName.originOffset, String(message.offset))
    }
    return headers
  }
}
