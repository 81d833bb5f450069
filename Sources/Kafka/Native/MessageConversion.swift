import CLibrdkafka

extension ConsumedRecord {
  /// Copies a message's bytes, once.
  init(_ message: UnsafeMutablePointer<rd_kafka_message_t>, of partition: TopicPartition) {
    let timestamp = rd_kafka_message_timestamp(message, nil)
    self.init(
      topic: partition.topic, partition: partition.partition, offset: message.pointee.offset,
      timestamp: timestamp < 0 ? nil : timestamp, key: copiedBytes(message.pointee.key, message.pointee.key_len),
      value: copiedBytes(message.pointee.payload, message.pointee.len), headers: copiedHeaders(message))
  }
}

extension TopicPartition {
  init(_ message: UnsafeMutablePointer<rd_kafka_message_t>) {
    let topic = message.pointee.rkt.map { String(cString: rd_kafka_topic_name($0)) } ?? ""
    self.init(topic: topic, partition: message.pointee.partition)
  }
}

/// nil stays nil, and an empty value stays empty.
func copiedBytes(_ start: UnsafeRawPointer?, _ count: Int) -> [UInt8]? {
  start.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) }
}

private func copiedHeaders(_ message: UnsafeMutablePointer<rd_kafka_message_t>) -> [KafkaHeader] {
  var native: OpaquePointer?
  guard rd_kafka_message_headers(message, &native) == RD_KAFKA_RESP_ERR_NO_ERROR, let native else { return [] }
  let count = rd_kafka_header_cnt(native)
  var headers: [KafkaHeader] = []
  headers.reserveCapacity(count)
  for index in 0..<count {
    var name: UnsafePointer<CChar>?
    var value: UnsafeRawPointer?
    var size = 0
    guard rd_kafka_header_get_all(native, index, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR, let name else { break }
    headers.append(KafkaHeader(name: String(cString: name), value: copiedBytes(value, size)))
  }
  return headers
}

extension ProducerRecord {
  /// Hands the record to the client without waiting; the library copies its bytes.
  func enqueue(client: OpaquePointer, topic: OpaquePointer, opaque: UnsafeMutableRawPointer) -> rd_kafka_resp_err_t {
    let native = headers.isEmpty ? nil : nativeHeaders(headers)
    let code = withOptionalBytes(key) { key in
      withOptionalBytes(value) { value in
        kafka_produce(
          client, topic, partition ?? -1, key.baseAddress, key.count, value.baseAddress, value.count, timestamp ?? 0, native, opaque)
      }
    }
    if code != RD_KAFKA_RESP_ERR_NO_ERROR, let native { rd_kafka_headers_destroy(native) }
    return code
  }
}

private func nativeHeaders(_ headers: [KafkaHeader]) -> OpaquePointer? {
  let native = rd_kafka_headers_new(headers.count)
  for header in headers {
    var name = header.name
    name.withUTF8 { name in
      withOptionalBytes(header.value) { value in
        name.withMemoryRebound(to: CChar.self) { name in
          _ = rd_kafka_header_add(native, name.baseAddress, name.count, value.baseAddress, value.count)
        }
      }
    }
  }
  return native
}

/// A null pointer for nil only: an empty array has an address, too.
private func withOptionalBytes<R>(_ bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer) -> R) -> R {
  guard let bytes else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
  guard bytes.isEmpty else { return bytes.withUnsafeBytes(body) }
  return withUnsafeBytes(of: UInt8(0)) { body(UnsafeRawBufferPointer(start: $0.baseAddress, count: 0)) }
}
