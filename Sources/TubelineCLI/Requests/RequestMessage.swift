import FoundationEssentials
import Kafka
import Messages
import Telemetry
import YouTubeAPI

/// Makes the message of a request.
enum RequestMessage {
  /// `r-` and 16 hexadecimal digits.
  static func newID() -> String {
    var generator = RandomSource()
    let digits = String(UInt64.random(in: 0 ... .max, using: &generator), radix: 16)
    return "r-" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  static func record(_ entry: ReferenceList.Entry, requestID: String, options: RequestOptions, prefix: String) -> ProducerRecord {
    let request = ChannelRequest(
      requestID: requestID, target: .channel(entry.name.text), options: options, key: entry.reference.normalised)
    var generator = RandomSource()
    return ProducerRecord(
      topic: prefix + ChannelRequest.topic.name, key: Array(request.key.utf8), value: request.bytes,
      headers: [
        KafkaHeader(HeaderName.specVersion, "1.0"), KafkaHeader(HeaderName.id, newID()),
        // Not the requestId: a request that is published again on purpose is a new event.
        KafkaHeader(HeaderName.source, HeaderName.ownSource + "cli"),
        KafkaHeader(HeaderName.type, "tubeline.\(ChannelRequest.kind).v1"), KafkaHeader(HeaderName.time, Timestamp.rfc3339(Date())),
        KafkaHeader("content-type", "application/json"),
        KafkaHeader(HeaderName.traceparent, TraceContext.root(using: &generator).traceparent),
      ])
  }
}
