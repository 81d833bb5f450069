import FoundationEssentials
import Kafka
import Messages
import Telemetry

/// A dead letter's headers, or the mark behind a letter that settles it.
enum LetterEntry: Sendable {
  struct Letter: Sendable {
    let stage: StageName
    let place: Int
    let key: String?
    let code: String?
    let message: String?
    let failed: String?
    let origin: String?
    /// Milliseconds since 1970.
    let received: Int
  }

  case letter(Letter)
  case settled(place: Int)

  private static let longest = 1000

  init(_ record: ConsumedRecord, stage: StageName, received: Int) {
    let message = ReceivedMessage(
      source: Messages.TopicPartition(topic: record.topic, partition: record.partition), offset: record.offset, timestamp: record.timestamp,
      key: record.key, value: nil, headers: record.headers.map { MessageHeader($0.name, $0.value) })
    if let settlement = Settlement(message) {
      self = .settled(place: Int(settlement.offset))
      return
    }
    func header(_ name: String) -> String? { message.headers[name].map { String($0.prefix(Self.longest)) } }
    self = .letter(
      Letter(
        stage: stage, place: Int(record.offset),
        key: record.key.flatMap { String(validating: $0, as: UTF8.self) }.map { String($0.prefix(Self.longest)) },
        code: header(HeaderName.errorCode), message: header(HeaderName.errorMessage),
        failed: header(HeaderName.failedAt).flatMap { Timestamp.parse($0) }.map { Timestamp.rfc3339($0) },
        origin: header(HeaderName.originTopic), received: received))
  }
}
