import FoundationEssentials
import Kafka
import Messages
import Telemetry

/// Makes the messages that commands publish.
enum CommandMessage {
  /// - Parameter time: RFC 3339.
  static func record(_ payload: some Payload, at time: String = Timestamp.rfc3339(Date()), prefix: String) -> ProducerRecord {
    var generator = RandomSource()
    return ProducerRecord(
      topic: prefix + type(of: payload).topic.name, key: Array(payload.key.utf8), value: payload.bytes,
      headers: [
        // The id is not the requestId: a request that is published again on purpose is a new event.
        KafkaHeader(HeaderName.specVersion, "1.0"), KafkaHeader(HeaderName.id, RequestMessage.newID()),
        KafkaHeader(HeaderName.source, HeaderName.ownSource + "cli"),
        KafkaHeader(HeaderName.type, "tubeline.\(type(of: payload).kind).v1"), KafkaHeader(HeaderName.time, time),
        KafkaHeader("content-type", "application/json"),
        KafkaHeader(HeaderName.traceparent, TraceContext.root(using: &generator).traceparent),
      ])
  }
}
