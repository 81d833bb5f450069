import CLibrdkafka

extension ConsumerHandle {
  func commit(_ offsets: [TopicPartition: Int64]) async throws {
    try await client.perform { pointer in
      let list = PartitionList(offsets)
      let code = list.withPointer { rd_kafka_commit(pointer, $0, 0) }
      try list.checkEach()
      try KafkaError.check(code)
    }
  }

  func store(_ offsets: [TopicPartition: Int64]) throws {
    try client.withPointer { pointer in
      // Its result is an error only when no partition could be stored; each one's own tells more.
      let list = PartitionList(offsets)
      _ = list.withPointer { rd_kafka_offsets_store(pointer, $0) }
      try list.checkEach(accepting: RD_KAFKA_RESP_ERR__STATE)
    }
  }

  func commitStored() async throws {
    try await client.perform { pointer in
      let code = rd_kafka_commit(pointer, nil, 0)
      if code != RD_KAFKA_RESP_ERR__NO_OFFSET { try KafkaError.check(code) }
    }
  }

  func committed(_ partitions: [TopicPartition], timeout: Int32) async throws -> [TopicPartition: Int64] {
    try await client.perform { pointer in
      let list = PartitionList(partitions)
      try list.withPointer { try KafkaError.check(rd_kafka_committed(pointer, $0, timeout)) }
      try list.checkEach()
      return list.offsets()
    }
  }

  func watermarks(_ partition: TopicPartition, timeout: Int32) async throws -> Range<Int64> {
    try await client.perform { pointer in
      var low: Int64 = 0
      var high: Int64 = 0
      try KafkaError.check(
        rd_kafka_query_watermark_offsets(pointer, partition.topic, partition.partition, &low, &high, timeout))
      return low..<max(low, high)
    }
  }

  func positions(_ partitions: [TopicPartition]) throws -> [TopicPartition: Int64] {
    try client.withPointer { pointer in
      let list = PartitionList(partitions)
      try list.withPointer { try KafkaError.check(rd_kafka_position(pointer, $0)) }
      return list.offsets()
    }
  }

  func pause(_ partitions: [TopicPartition]) throws {
    try client.withPointer { pointer in
      let list = PartitionList(partitions)
      try list.withPointer { try KafkaError.check(rd_kafka_pause_partitions(pointer, $0)) }
      try list.checkEach()
    }
  }

  func resume(_ partitions: [TopicPartition]) throws {
    try client.withPointer { pointer in
      let list = PartitionList(partitions)
      try list.withPointer { try KafkaError.check(rd_kafka_resume_partitions(pointer, $0)) }
      try list.checkEach()
    }
  }

  /// A partition that stands still, because its position was out of range, cannot seek: it is assigned anew, but not during a rebalance,
  /// which would take that for its answer.
  func seek(_ partition: TopicPartition, to offset: Int64, timeout: Int32) async throws {
    try await client.perform { [resources] pointer in
      let list = PartitionList([partition: offset])
      try list.withPointer { try KafkaError.check(consuming: rd_kafka_seek_partitions(pointer, $0, timeout)) }
      do {
        try list.checkEach()
      } catch let error as KafkaError where error.code == RD_KAFKA_RESP_ERR__STATE.rawValue {
        if Self.isEager(pointer) || resources.unanswered.withLock({ $0 != nil }) { throw error }
        let list = PartitionList([partition: offset])
        try list.withPointer { list in
          try KafkaError.check(consuming: rd_kafka_incremental_unassign(pointer, list))
          try KafkaError.check(consuming: rd_kafka_incremental_assign(pointer, list))
        }
      }
    }
  }
}
