import CLibrdkafka

extension ProducerHandle {
  func initTransactions(timeout: Int32) async throws {
    try await client.performUnlessCancelled { try KafkaError.check(consuming: rd_kafka_init_transactions($0, timeout)) }
  }

  func beginTransaction() async throws {
    try await client.performUnlessCancelled { try KafkaError.check(consuming: rd_kafka_begin_transaction($0)) }
  }

  /// The library heeds the timeout only when an answer comes: one that does not come is waited for until `socket.timeout.ms`.
  func sendOffsets(_ offsets: [TopicPartition: Int64], of group: GroupMetadata, timeout: Int32) async throws {
    try await client.performUnlessCancelled { pointer in
      let list = PartitionList(offsets)
      try list.withPointer { list in
        try group.withPointer {
          try KafkaError.check(consuming: rd_kafka_send_offsets_to_transaction(pointer, list, $0, timeout))
        }
      }
    }
  }

  func commitTransaction(timeout: Int32) async throws {
    try await client.performUnlessCancelled { try KafkaError.check(consuming: rd_kafka_commit_transaction($0, timeout)) }
  }

  func abortTransaction(timeout: Int32) async throws {
    try await client.performUnlessCancelled { try KafkaError.check(consuming: rd_kafka_abort_transaction($0, timeout)) }
  }

  /// `transaction.timeout.ms` as the library understood it.
  func transactionTimeout() throws -> Duration {
    try client.withPointer { pointer in
      var size = 32
      let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
        buffer.initialize(repeating: 0)
        rd_kafka_conf_get(rd_kafka_conf(pointer), "transaction.timeout.ms", buffer.baseAddress, &size)
        return buffer.baseAddress.map { String(cString: $0) } ?? ""
      }
      guard let milliseconds = Int(text) else {
        throw KafkaError(RD_KAFKA_RESP_ERR__INVALID_ARG, "transaction.timeout.ms is \"\(text)\"")
      }
      return .milliseconds(milliseconds)
    }
  }
}
