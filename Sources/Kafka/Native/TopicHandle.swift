import CLibrdkafka

/// The one owner of an rd_kafka_topic_t; to be released before its client is destroyed.
final class TopicHandle: @unchecked Sendable {
  // because rd_kafka_topic_t is thread-safe and lives as long as this object
  private let pointer: OpaquePointer

  init(client: OpaquePointer, name: String) throws {
    // The library would take an empty name and fail much later.
    guard !name.isEmpty else { throw KafkaError(RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION, "the name of the topic is empty") }
    guard let pointer = rd_kafka_topic_new(client, name, nil) else {
      throw KafkaError(rd_kafka_last_error(), "topic \"\(name)\": \(String(cString: rd_kafka_err2str(rd_kafka_last_error())))")
    }
    self.pointer = pointer
  }

  deinit { rd_kafka_topic_destroy(pointer) }

  func withPointer<R>(_ body: (OpaquePointer) throws -> R) rethrows -> R { try body(pointer) }
}
