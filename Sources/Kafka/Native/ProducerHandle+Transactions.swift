import CLibrdkafka

extension ProducerHandle {
  func initTransactions(timeout: Int32) async throws {
    try await client.perform { try KafkaError.check(consuming: rd_kafka_init_transactions($0, timeout)) }
  }

  func beginTransaction() async throws {
    try await client.perform { try KafkaError.check(consuming: rd_kafka_begin_transaction($0)) }
  }

  func sendOffsets(_ offsets: [TopicPartition: Int64], of group: GroupMetadata, timeout: Int32) async throws {
    try await client.perform { pointer in
      let list = PartitionList(offsets)
      try list.withPointer { list in
        try group.withPointer {
          try KafkaError.check(consuming: rd_kafka_send_offsets_to_transaction(pointer, list, $0, timeout))
        }
      }
    }
  }

  func commitTransaction(timeout: Int32) async throws {
    try await client.perform { try KafkaError.check(consuming: rd_kafka_commit_transaction($0, timeout)) }
  }

  func abortTransaction(timeout: Int32) async throws {
    try await client.perform { try KafkaError.check(consuming: rd_kafka_abort_transaction($0, timeout)) }
  }
}
