import CLibrdkafka
import Synchronization
import Telemetry

/// A member of a consumer group with one queue per assigned partition.
final class ConsumerHandle: Sendable {
  let client: ClientHandle
  let resources: Resources

  /// What must be released before the client is destroyed.
  final class Resources: Sendable {
    let main: Mutex<QueueHandle?>
    let partitions = Mutex<[TopicPartition: PartitionQueue]>([:])
    /// Errors that came up while records were taken, until the next poll.
    let pending = Mutex<[ConsumerEvent]>([])
    let membership = Atomic(Membership.none)
    /// The rebalance that the owner has been told of and has not answered.
    let unanswered = Mutex<Rebalance?>(nil)

    init(main: QueueHandle?) { self.main = Mutex(main) }
  }

  enum Membership: UInt8, AtomicRepresentable { case none, joining, assigned }

  enum Rebalance { case assignment, revocation }

  init(
    groupID: String, instanceID: String?, configuration: KafkaConfiguration, clientID: String, logger: Logger,
    wake: @escaping @Sendable () -> Void
  ) throws {
    let events = RD_KAFKA_EVENT_REBALANCE | RD_KAFKA_EVENT_ERROR | RD_KAFKA_EVENT_STATS
    client = try ClientHandle(
      role: .consumer(groupID: groupID, instanceID: instanceID), configuration: configuration, clientID: clientID, events: events,
      logger: logger, wake: wake)
    let main = try client.withPointer { pointer in
      rd_kafka_poll_set_consumer(pointer)
      return QueueHandle(consuming: rd_kafka_queue_get_consumer(pointer))
    }
    resources = Resources(main: main)
    if let main { client.enableWake(on: main) }
  }

  deinit { client.abandon(Self.leave(resources)) }

  func subscribe(_ topics: [String]) throws {
    let list = PartitionList(topics.map { TopicPartition(topic: $0, partition: -1) })
    try client.withPointer { pointer in
      _ = resources.membership.compareExchange(expected: .none, desired: .joining, ordering: .relaxed)
      try list.withPointer { try KafkaError.check(rd_kafka_subscribe(pointer, $0)) }
    }
  }

  /// Drains the member's queue; this is what keeps the membership alive.
  func poll() -> [ConsumerEvent] {
    let polled = try? client.withPointer { pointer in
      guard let main = resources.main.withLock({ $0 }) else { return [ConsumerEvent]() }
      var events: [ConsumerEvent] = []
      while main.withNextEvent({ events.append(contentsOf: read($0, client: pointer)) }) {}
      return events
    }
    return (polled ?? [])
      + resources.pending.withLock { pending in
        defer { pending = [] }
        return pending
      }
  }

  func take(from partition: TopicPartition, upTo limit: Int) -> [ConsumedRecord] {
    guard limit > 0 else { return [] }
    let taken = try? client.withPointer { pointer in
      guard let queue = resources.partitions.withLock({ $0[partition] }) else { return [ConsumedRecord]() }
      var records = queue.takeStray(upTo: limit)
      var events: [ConsumerEvent] = []
      while records.count < limit {
        let room = min(limit - records.count, 512)
        let count = queue.handle.withMessages(upTo: room) { message in
          if message.pointee.err == RD_KAFKA_RESP_ERR_NO_ERROR {
            records.append(ConsumedRecord(message, of: partition))
          } else if let event = failure(message, of: partition, client: pointer) {
            events.append(event)
          }
        }
        if count < room { break }
      }
      if !events.isEmpty { resources.pending.withLock { $0 += events } }
      return records
    }
    return taken ?? []
  }

  /// Each partition's queue is taken off the member's queue before fetching starts, so no record passes through the latter.
  func assign(_ positions: [TopicPartition: StartPosition]) async throws {
    // Rebalances without partitions are answered already; a second answer would pass for that of the next one.
    guard !positions.isEmpty else { return }
    try await client.perform { [resources, client] pointer in
      let list = PartitionList(positions.mapValues(\.nativeOffset))
      let known = resources.partitions.withLock { Set($0.keys) }
      for partition in positions.keys where !known.contains(partition) {
        guard let handle = QueueHandle(consuming: rd_kafka_queue_get_partition(pointer, partition.topic, partition.partition)) else {
          continue
        }
        handle.withPointer { rd_kafka_queue_forward($0, nil) }
        client.enableWake(on: handle)
        resources.partitions.withLock { $0[partition] = PartitionQueue(handle) }
      }
      do {
        try list.withPointer { try Self.answer(pointer, assigning: $0) }
        resources.unanswered.withLock { $0 = nil }
      } catch {
        resources.partitions.withLock { queues in
          for partition in positions.keys where !known.contains(partition) { queues[partition] = nil }
        }
        throw error
      }
    }
  }

  func unassign(_ partitions: [TopicPartition]) async throws {
    guard !partitions.isEmpty else { return }
    try await client.perform { [resources] pointer in
      try PartitionList(partitions).withPointer { try Self.answer(pointer, unassigning: $0) }
      resources.unanswered.withLock { $0 = nil }
      let removed = resources.partitions.withLock { queues in partitions.compactMap { queues.removeValue(forKey: $0) } }
      for queue in removed { queue.discard() }
    }
  }

  func close(timeout: Int32) async { await client.shutDown(within: timeout, Self.leave(resources)) }

  func groupMetadata() throws -> GroupMetadata {
    try client.withPointer { pointer in
      guard let metadata = GroupMetadata(consuming: rd_kafka_consumer_group_metadata(pointer)) else {
        throw KafkaError(RD_KAFKA_RESP_ERR__STATE, "the consumer has no group metadata")
      }
      // Offsets without a generation and a name are those of a client that knows no groups: brokers take them unchecked.
      if let (generation, memberID) = metadata.identity, generation < 0 || memberID.isEmpty {
        throw KafkaError(RD_KAFKA_RESP_ERR_UNKNOWN_MEMBER_ID, "the consumer is no member of its group at present")
      }
      return metadata
    }
  }
}

// Events
extension ConsumerHandle {
  private func read(_ event: OpaquePointer, client: OpaquePointer) -> [ConsumerEvent] {
    switch rd_kafka_event_type(event) {
    case RD_KAFKA_EVENT_REBALANCE: return [rebalance(event, client: client)]
    case RD_KAFKA_EVENT_ERROR:
      let code = rd_kafka_event_error(event)
      let text = rd_kafka_event_error_string(event).map { String(cString: $0) }
      return [.error(KafkaError.resolvingFatal(code, of: client, text))]
    case RD_KAFKA_EVENT_STATS: return rd_kafka_event_stats(event).map { [.statistics(String(cString: $0))] } ?? []
    case RD_KAFKA_EVENT_FETCH: return strays(event, client: client)
    default: return []
    }
  }

  private func rebalance(_ event: OpaquePointer, client: OpaquePointer) -> ConsumerEvent {
    let partitions = PartitionList.partitions(rd_kafka_event_topic_partition_list(event)).sorted()
    switch rd_kafka_event_error(event) {
    case RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS:
      resources.membership.store(.assigned, ordering: .relaxed)
      // Every rebalance wants an answer, and for no partitions there is nothing to decide.
      if partitions.isEmpty { Self.answer(client, .assignment) } else { resources.unanswered.withLock { $0 = .assignment } }
      return .assigned(partitions)
    case RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS:
      let isLost = rd_kafka_assignment_lost(client) != 0
      if partitions.isEmpty { Self.answer(client, .revocation) } else { resources.unanswered.withLock { $0 = .revocation } }
      return isLost ? .lost(partitions) : .revoked(partitions)
    case let code:
      // The library expects the assignment to be synchronised after a failed rebalance.
      rd_kafka_assign(client, nil)
      return .error(KafkaError(code))
    }
  }

  // A message that was forwarded before its partition had a queue of its own comes before those in it.
  private func strays(_ event: OpaquePointer, client: OpaquePointer) -> [ConsumerEvent] {
    var events: [ConsumerEvent] = []
    while let next = rd_kafka_event_message_next(event) {
      let message = UnsafeMutablePointer(mutating: next)
      let partition = TopicPartition(message)
      if message.pointee.err != RD_KAFKA_RESP_ERR_NO_ERROR {
        failure(message, of: partition, client: client).map { events.append($0) }
      } else {
        resources.partitions.withLock { $0[partition] }?.keepStray(ConsumedRecord(message, of: partition))
      }
    }
    return events
  }

  private func failure(
    _ message: UnsafeMutablePointer<rd_kafka_message_t>, of partition: TopicPartition, client: OpaquePointer
  ) -> ConsumerEvent? {
    let code = message.pointee.err
    let text = rd_kafka_message_errstr(message).map { String(cString: $0) }
    switch code {
    case RD_KAFKA_RESP_ERR__PARTITION_EOF: return .endOfPartition(partition, message.pointee.offset)
    case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET, RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE:
      return .offsetOutOfRange(partition, KafkaError(code, text))
    default:
      return .error(KafkaError.resolvingFatal(code, of: client, "\(partition): \(text ?? String(cString: rd_kafka_err2str(code)))"))
    }
  }
}

// Group membership
extension ConsumerHandle {
  // A user may choose an assignor of the eager protocol, which knows whole assignments only.
  static func isEager(_ client: OpaquePointer) -> Bool {
    rd_kafka_rebalance_protocol(client).map { String(cString: $0) } == "EAGER"
  }

  private static func answer(_ client: OpaquePointer, assigning list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>) throws {
    if isEager(client) {
      try KafkaError.check(rd_kafka_assign(client, list))
    } else {
      try KafkaError.check(consuming: rd_kafka_incremental_assign(client, list))
    }
  }

  private static func answer(_ client: OpaquePointer, unassigning list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>) throws {
    if isEager(client) {
      try KafkaError.check(rd_kafka_assign(client, nil))
    } else {
      try KafkaError.check(consuming: rd_kafka_incremental_unassign(client, list))
    }
  }

  // An error here means that the library has moved on by itself.
  private static func answer(_ client: OpaquePointer, _ rebalance: Rebalance) {
    PartitionList([TopicPartition]()).withPointer { none in
      switch rebalance {
      case .assignment: try? answer(client, assigning: none)
      case .revocation: try? answer(client, unassigning: none)
      }
    }
  }

  /// Leaves the group, answering the last revocation, and releases every queue.
  private static func leave(_ resources: Resources) -> @Sendable (OpaquePointer) -> ClientHandle.Ending {
    { client in
      resources.partitions.withLock { $0 = [:] }
      // The library would wait for ever for an answer that the owner no longer gives.
      if let rebalance = resources.unanswered.withLock({ $0 }) { answer(client, rebalance) }
      guard let main = resources.main.withLock({ $0 }) else { return .destroyed }
      if KafkaError(consuming: main.withPointer({ rd_kafka_consumer_close_queue(client, $0) })) == nil {
        while rd_kafka_consumer_closed(client) == 0 {
          _ = main.withNextEvent(timeout: 100) { event in
            guard rd_kafka_event_type(event) == RD_KAFKA_EVENT_REBALANCE,
              rd_kafka_event_error(event) == RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS,
              let list = rd_kafka_event_topic_partition_list(event)
            else { return }
            try? answer(client, unassigning: list)
          }
        }
      }
      resources.main.withLock { $0 = nil }
      return resources.membership.load(ordering: .relaxed) == Membership.joining && abortsUnassigned ? .leftBehind : .destroyed
    }
  }
}

// Before 2.3.0, destroying a member that has joined but was never given an assignment fails an assertion of the sticky assignor and
// aborts the process (https://github.com/confluentinc/librdkafka/issues/4312): such a client has left its group and stays behind, idle.
private let abortsUnassigned = rd_kafka_version() < 0x0203_0000
