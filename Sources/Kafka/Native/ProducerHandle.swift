import CLibrdkafka
import Synchronization
import Telemetry

/// A producer whose delivery reports come by events.
final class ProducerHandle: Sendable {
  let client: ClientHandle
  private let reports: DeliveryReports
  private let topics = Topics()
  /// `message.max.bytes` in force.
  let largestRecord: Int

  private final class Topics: Sendable { let known = Mutex<[String: TopicHandle]>([:]) }

  init(role: ClientRole, configuration: KafkaConfiguration, clientID: String, logger: Logger) throws {
    largestRecord = role.properties(configuration, clientID: clientID)["message.max.bytes"].flatMap { Int($0) } ?? 1_000_000
    let reports = DeliveryReports(clientID: clientID, logger: logger)
    client = try ClientHandle(
      role: role, configuration: configuration, clientID: clientID, events: RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR, logger: logger,
      wake: { reports.signal() })
    self.reports = reports
    let queue = try client.withPointer { QueueHandle(consuming: rd_kafka_queue_get_main($0)) }
    reports.attach(queue, of: client)
    if let queue { client.enableWake(on: queue) }
    reports.signal()
  }

  deinit { client.abandon(Self.release(reports, topics, flushTimeout: 0)) }

  /// Sends in order and returns when each record is acknowledged or has failed; with `purgingWhenCancelled`, soon after a cancellation.
  func send(_ records: [ProducerRecord], purgingWhenCancelled: Bool) async -> [ProduceError.Failure] {
    let batch = DeliveryBatch(count: records.count)
    var next = 0
    while true {
      let seen = reports.progress.generation
      next = enqueue(records, from: next, batch)
      if next == records.count { break }
      await reports.progress.wait(beyond: seen)
      if Task.isCancelled {
        batch.refuse(from: next, .interrupted)
        break
      }
    }
    // Only now, when nothing more is put into the queue, a purge reaches all of the batch.
    return await withTaskCancellationHandler {
      await batch.wait()
    } onCancel: {
      if purgingWhenCancelled { purge() }
    }
  }

  func flush(timeout: Int32) async throws {
    try await client.perform { try KafkaError.check(rd_kafka_flush($0, timeout)) }
  }

  func purge() {
    let flags = RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING
    // A closed client holds nothing to purge.
    _ = try? client.withPointer { rd_kafka_purge($0, flags) }
  }

  func close(flushTimeout: Int32) async {
    // What a broker leaves unanswered ends in the background: the call that waits for it, and then the client.
    await client.shutDown(within: flushTimeout + 1000, Self.release(reports, topics, flushTimeout: flushTimeout))
  }

  /// Returns the position of the first record for which the queue had no room.
  private func enqueue(_ records: [ProducerRecord], from start: Int, _ batch: DeliveryBatch) -> Int {
    do {
      return try client.withPointer { client in
        var topic: (name: String, handle: TopicHandle)?
        for index in start..<records.count {
          let record = records[index]
          do {
            let handle = try topic.flatMap { $0.name == record.topic ? $0.handle : nil } ?? self.topic(record.topic, client: client)
            topic = (record.topic, handle)
            let (code, mustWait) = handle.withPointer { enqueue(record, client: client, topic: $0, opaque: batch.opaque(at: index)) }
            if mustWait { return index }
            if code != RD_KAFKA_RESP_ERR_NO_ERROR { throw KafkaError.resolvingFatal(code, of: client) }
          } catch let error as KafkaError {
            batch.settle(1, failures: [.init(index: index, error: error)])
          }
        }
        return records.count
      }
    } catch {
      batch.refuse(from: start, .closed)
      return records.count
    }
  }

  // Full although nothing is on its way: another sender filled and emptied the queue meanwhile, or the record alone is too large for
  // it, and then no report would ever wake the sender.
  private func enqueue(
    _ record: ProducerRecord, client: OpaquePointer, topic: OpaquePointer, opaque: UnsafeMutableRawPointer
  ) -> (code: rd_kafka_resp_err_t, mustWait: Bool) {
    for _ in 0..<100 {
      let code = record.enqueue(client: client, topic: topic, opaque: opaque)
      guard code == RD_KAFKA_RESP_ERR__QUEUE_FULL else { return (code, false) }
      if rd_kafka_outq_len(client) > 0 { return (code, true) }
    }
    return (RD_KAFKA_RESP_ERR__QUEUE_FULL, false)
  }

  private func topic(_ name: String, client: OpaquePointer) throws -> TopicHandle {
    try topics.known.withLock { known in
      if let topic = known[name] { return topic }
      let topic = try TopicHandle(client: client, name: name)
      known[name] = topic
      return topic
    }
  }

  /// Gives what is on its way a last chance, fails the rest, so that no sender waits for ever, and releases all that hangs on the client.
  private static func release(_ reports: DeliveryReports, _ topics: Topics, flushTimeout: Int32)
    -> @Sendable (OpaquePointer) -> ClientHandle.Ending
  {
    { client in
      if rd_kafka_flush(client, flushTimeout) != RD_KAFKA_RESP_ERR_NO_ERROR {
        rd_kafka_purge(client, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT)
        rd_kafka_flush(client, 5000)
      }
      topics.known.withLock { $0 = [:] }
      reports.detach()
      return .destroyed
    }
  }
}
