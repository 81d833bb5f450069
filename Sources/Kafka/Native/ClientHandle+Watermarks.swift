import CLibrdkafka

extension ClientHandle {
  /// Asks the broker, for milliseconds at most.
  func watermarks(_ partition: TopicPartition, timeout: Int32) async throws -> Range<Int64> {
    try await perform { pointer in
      var low: Int64 = 0
      var high: Int64 = 0
      try KafkaError.check(rd_kafka_query_watermark_offsets(pointer, partition.topic, partition.partition, &low, &high, timeout))
      return low..<max(low, high)
    }
  }

  /// Asks each leader twice, for all of its partitions at once. Throws unless it gets every partition's.
  func watermarks(_ partitions: [TopicPartition], timeout: Int32) async throws -> [TopicPartition: Range<Int64>] {
    try await perform { pointer in
      let begins = try Self.offsets(of: partitions, at: Int64(RD_KAFKA_OFFSET_BEGINNING), asking: pointer, timeout: timeout)
      let ends = try Self.offsets(of: partitions, at: Int64(RD_KAFKA_OFFSET_END), asking: pointer, timeout: timeout)
      return try partitions.reduce(into: [:]) { logs, partition in
        guard let begin = begins[partition], let end = ends[partition] else {
          throw KafkaError(RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION, "\(partition): the broker does not tell its offsets")
        }
        logs[partition] = begin..<max(begin, end)
      }
    }
  }

  // In the protocol, begin and end are times like any other.
  private static func offsets(
    of partitions: [TopicPartition], at time: Int64, asking client: OpaquePointer, timeout: Int32
  ) throws -> [TopicPartition: Int64] {
    let list = PartitionList(Dictionary(partitions.map { ($0, time) }) { $1 })
    try list.withPointer { try KafkaError.check(rd_kafka_offsets_for_times(client, $0, timeout)) }
    try list.checkEach()
    return list.offsets()
  }
}
