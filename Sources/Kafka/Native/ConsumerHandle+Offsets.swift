import CLibrdkafka

extension ConsumerHandle {
  func commit(_ offsets: [TopicPartition: Int64], timeout: Int32) async throws {
    try await client.perform { pointer in
      try PartitionList(offsets).withPointer { try Self.commit($0, of: pointer, timeout: timeout) }
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

  func commitStored(timeout: Int32) async throws {
    try await client.perform { pointer in
      do { try Self.commit(nil, of: pointer, timeout: timeout) } catch let error as KafkaError
        where error.code == RD_KAFKA_RESP_ERR__NO_OFFSET.rawValue
      {
        // Nothing was stored since the last commit.
        return
      }
    }
  }

  /// The library's own waiting commit knows no timeout: while the coordinator is away, it takes as long as a session or a request may.
  private static func commit(
    _ list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?, of client: OpaquePointer, timeout: Int32
  ) throws {
    // A queue of its own: an answer that comes after the timeout goes with it.
    guard let answers = QueueHandle(consuming: rd_kafka_queue_new(client)) else { throw KafkaError.closed }
    try answers.withPointer { try KafkaError.check(rd_kafka_commit_queue(client, list, $0, nil, nil)) }
    var answer = Result<Void, any Error>.failure(KafkaError(RD_KAFKA_RESP_ERR__TIMED_OUT, "no answer to a commit"))
    _ = answers.withNextEvent(timeout: timeout) { event in answer = Result { try check(commit: event) } }
    try answer.get()
  }

  private static func check(commit event: OpaquePointer) throws {
    if let list = rd_kafka_event_topic_partition_list(event) { try PartitionList.checkEach(list) }
    try KafkaError.check(rd_kafka_event_error(event))
  }

  func committed(_ partitions: [TopicPartition], timeout: Int32) async throws -> [TopicPartition: Int64] {
    try await client.perform { pointer in
      let list = PartitionList(partitions)
      try list.withPointer { try KafkaError.check(rd_kafka_committed(pointer, $0, timeout)) }
      try list.checkEach()
      return list.offsets()
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
