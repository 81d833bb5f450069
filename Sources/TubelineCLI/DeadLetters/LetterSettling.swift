import Kafka
import Messages
import Monitoring
import Telemetry

/// A letter that is to be settled, and what is published for it.
struct LetterSettling: Sendable {
  /// A letter that cannot be replayed, with the reason.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  let id: DeadLetterID
  /// What goes back to the letter's origin; nil when the letter is discarded.
  let replay: ProducerRecord?
  /// What tells the next run that this letter is done with.
  let settlement: ProducerRecord

  // Dead-lettering wrote these. The time of failure stays: workers pass a repetition over, and by it a replay is none.
  private static let droppedHeaders: Set<String> = [
    HeaderName.attempt, HeaderName.notBefore, HeaderName.stage, HeaderName.errorCode, HeaderName.errorMessage, HeaderName.originTopic,
    HeaderName.originPartition, HeaderName.originOffset, HeaderName.firstOrigin, HeaderName.replayOf,
  ]

  static func discarding(_ letter: DeadLetterRecord, at time: String) -> LetterSettling {
    LetterSettling(id: letter.id, replay: nil, settlement: settlement(of: letter, .discarded, time))
  }

  /// - Parameters:
  ///   - inputs: the full names of the topics that the letter's stage reads.
  static func replaying(_ letter: DeadLetterRecord, inputs: Set<String>, at time: String) throws(Refusal) -> LetterSettling {
    guard let topic = letter.originTopic, let origin = letter.origin else {
      throw Refusal(description: "its headers do not tell where it came from")
    }
    if let bytes = letter.message.headers[HeaderName.omittedBytes] {
      throw Refusal(description: "the broker had refused its \(bytes) bytes as too large, so it has no value that could go back")
    }
    // Whoever can write to the dead-letter topic could otherwise send anything anywhere.
    guard inputs.contains(topic) else { throw Refusal(description: "its origin \(topic) is no topic that the stage reads") }
    let original = ReceivedMessage(
      source: Messages.TopicPartition(topic: topic, partition: origin.partition), offset: origin.offset, key: nil, value: nil,
      headers: letter.message.headers)
    var headers = letter.message.headers.filter { !droppedHeaders.contains($0.name) }
    headers.set(HeaderName.firstOrigin, original.origin)
    headers.set(HeaderName.replayOf, "\(letter.message.source)-\(letter.message.offset)")
    let replay = ProducerRecord(
      topic: topic, key: letter.message.key, value: letter.message.value,
      headers: headers.map(KafkaHeader.init))
    return LetterSettling(id: letter.id, replay: replay, settlement: settlement(of: letter, .replayed, time))
  }

  private static func settlement(of letter: DeadLetterRecord, _ action: Settlement.Action, _ time: String) -> ProducerRecord {
    let source = letter.message.source
    let settlement = Settlement(offset: letter.message.offset, action: action, time: time)
    return ProducerRecord(
      topic: source.topic, partition: source.partition, key: letter.message.key, value: nil,
      headers: settlement.headers.map(KafkaHeader.init))
  }
}

extension KafkaHeader {
  init(_ header: MessageHeader) { self.init(name: header.name, value: header.value) }
}
