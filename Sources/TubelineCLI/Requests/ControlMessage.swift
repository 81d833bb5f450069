import FoundationEssentials
import Kafka
import Messages
import Telemetry

/// Makes the message that orders something about a request.
enum ControlMessage {
  static func record(_ order: RequestControl.Order, _ requestID: String, prefix: String) -> ProducerRecord {
    let control = RequestControl(requestID: requestID, order: order, at: Timestamp.rfc3339(Date()))
    var generator = RandomSource()
    return ProducerRecord(
      topic: prefix + RequestControl.topic.name, key: Array(control.key.utf8), value: control.bytes,
      headers: [
        KafkaHeader(HeaderName.specVersion, "1.0"), KafkaHeader(HeaderName.id, RequestMessage.newID()),
        KafkaHeader(HeaderName.source, HeaderName.ownSource + "cli"),
        KafkaHeader(HeaderName.type, "tubeline.\(RequestControl.kind).v1"), KafkaHeader(HeaderName.time, control.at),
        KafkaHeader("content-type", "application/json"),
        KafkaHeader(HeaderName.traceparent, TraceContext.root(using: &generator).traceparent),
      ])
  }
}
