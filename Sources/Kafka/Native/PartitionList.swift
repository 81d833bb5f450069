import CLibrdkafka

/// The one owner of an rd_kafka_topic_partition_list_t.
struct PartitionList: ~Copyable {
  private let pointer: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>

  init(_ partitions: some Sequence<TopicPartition>) {
    self.init(partitions.map { ($0, Int64(RD_KAFKA_OFFSET_INVALID)) })
  }

  init(_ offsets: [TopicPartition: Int64]) { self.init(offsets.map { ($0.key, $0.value) }) }

  private init(_ entries: [(TopicPartition, Int64)]) {
    pointer = rd_kafka_topic_partition_list_new(Int32(entries.count))
    for (partition, offset) in entries {
      rd_kafka_topic_partition_list_add(pointer, partition.topic, partition.partition).pointee.offset = offset
    }
  }

  deinit { rd_kafka_topic_partition_list_destroy(pointer) }

  borrowing func withPointer<R>(_ body: (UnsafeMutablePointer<rd_kafka_topic_partition_list_t>) throws -> R) rethrows -> R {
    try body(pointer)
  }

  /// Throws the first partition's error that the library left in the list, unless it is an accepted one.
  borrowing func checkEach(accepting accepted: rd_kafka_resp_err_t = RD_KAFKA_RESP_ERR_NO_ERROR) throws {
    try Self.checkEach(pointer, accepting: accepted)
  }

  static func checkEach(
    _ list: UnsafePointer<rd_kafka_topic_partition_list_t>, accepting accepted: rd_kafka_resp_err_t = RD_KAFKA_RESP_ERR_NO_ERROR
  ) throws {
    for entry in entries(list) where entry.err != RD_KAFKA_RESP_ERR_NO_ERROR && entry.err != accepted {
      throw KafkaError(entry.err, "\(String(cString: entry.topic))-\(entry.partition): \(String(cString: rd_kafka_err2str(entry.err)))")
    }
  }

  /// What the library filled in; a partition without an offset is absent.
  borrowing func offsets() -> [TopicPartition: Int64] { Self.offsets(pointer) }

  static func offsets(_ list: UnsafePointer<rd_kafka_topic_partition_list_t>) -> [TopicPartition: Int64] {
    var offsets: [TopicPartition: Int64] = [:]
    for entry in entries(list) where entry.offset >= 0 { offsets[TopicPartition(entry)] = entry.offset }
    return offsets
  }

  static func partitions(_ list: UnsafePointer<rd_kafka_topic_partition_list_t>?) -> [TopicPartition] {
    guard let list else { return [] }
    return entries(list).map { TopicPartition($0) }
  }

  static func entries(_ list: UnsafePointer<rd_kafka_topic_partition_list_t>) -> UnsafeBufferPointer<rd_kafka_topic_partition_t> {
    UnsafeBufferPointer(start: list.pointee.elems, count: Int(list.pointee.cnt))
  }
}

extension TopicPartition {
  init(_ entry: rd_kafka_topic_partition_t) { self.init(topic: String(cString: entry.topic), partition: entry.partition) }
}

extension StartPosition {
  var nativeOffset: Int64 {
    switch self {
    case .beginning: Int64(RD_KAFKA_OFFSET_BEGINNING)
    case .end: Int64(RD_KAFKA_OFFSET_END)
    case .offset(let offset): offset
    }
  }
}
