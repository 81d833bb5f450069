import FoundationEssentials
public import Kafka
public import Messages
import Telemetry

/// Makes the messages that people's programs publish: orders and requests.
public enum CommandMessage {
  /// `r-` and 16 hexadecimal digits.
  public static func newID() -> String {
    var generator = RandomSource()
    let digits = String(UInt64.random(in: 0 ... .max, using: &generator), radix: 16)
    return "r-" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// - Parameters:
  ///   - time: RFC 3339; nil is now.
  ///   - program: what publishes it: `cli`, `catalog`.
  public static func record(_ payload: some Payload, at time: String? = nil, prefix: String, program: String = "cli") -> ProducerRecord {
    var generator = RandomSource()
    return ProducerRecord(
      topic: prefix + type(of: payload).topic.name, key: Array(payload.key.utf8), value: payload.bytes,
      headers: [
        // The id is not the requestId: a request that is published again on purpose is a new event.
        KafkaHeader(HeaderName.specVersion, "1.0"), KafkaHeader(HeaderName.id, newID()),
        KafkaHeader(HeaderName.source, HeaderName.ownSource + program),
        KafkaHeader(HeaderName.type, "tubeline.\(type(of: payload).kind).v1"),
        KafkaHeader(HeaderName.time, time ?? Timestamp.rfc3339(Date())),
        KafkaHeader("content-type", "application/json"),
        KafkaHeader(HeaderName.traceparent, TraceContext.root(using: &generator).traceparent),
      ])
  }
}
