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
}
