import Kafka

/// What takes in the records of ranges of logs while they are read.
protocol RangeTally {
  mutating func note(_ record: ConsumedRecord)
  /// Everything below the offset was read; where no record came, a marker of a transaction stands.
  mutating func reached(_ partition: Kafka.TopicPartition, _ offset: Int64)
  /// Whether no more of the partition needs to be read.
  func isFinished(_ partition: Kafka.TopicPartition) -> Bool
}

/// Reads logs from given offsets on, with a consumer that joins no group and commits nothing.
struct RangeReader {
  let kafka: KafkaConfiguration
  /// Only its rights are used: a consumer of librdkafka must name a group.
  let groupID: String
  let clientID: String

  private static let mostAtOnce = 200

  /// Reads until the tally is finished with every partition, or the time is over.
  func read(_ starts: [Kafka.TopicPartition: Int64], within limit: Duration, into tally: inout some RangeTally) async throws {
    if starts.isEmpty { return }
    let signal = Signal()
    let consumer = try Consumer(configuration: modest, groupID: groupID, clientID: clientID, logger: .silent, wake: { signal.raise() })
    let outcome: Result<Void, any Error>
    do {
      try await consumer.assign(starts.mapValues { .offset($0) })
      let deadline = Deadline(after: limit, signal: signal)
      defer { deadline.cancel() }
      outcome = .success(try await read(consumer, Set(starts.keys), signal, until: deadline, into: &tally))
    } catch { outcome = .failure(error) }
    await consumer.close()
    try outcome.get()
  }

  private func read(
    _ consumer: Consumer, _ partitions: Set<Kafka.TopicPartition>, _ signal: Signal, until deadline: Deadline,
    into tally: inout some RangeTally
  ) async throws {
    var open = partitions
    while !deadline.hasPassed {
      var hasMore = false
      for partition in open {
        let records = consumer.take(from: partition, upTo: Self.mostAtOnce)
        for record in records { tally.note(record) }
        if records.count == Self.mostAtOnce { hasMore = true }
      }
      for event in consumer.poll() {
        if case .endOfPartition(let partition, let offset) = event { tally.reached(partition, offset) }
      }
      let done = open.filter { tally.isFinished($0) }
      open.subtract(done)
      if open.isEmpty { return }
      if !done.isEmpty { try await consumer.unassign(Array(done)) }
      if !hasMore { await signal.wait() }
      try Task.checkCancellation()
    }
  }

  /// Little more is fetched than is looked at.
  private var modest: KafkaConfiguration {
    var modest = kafka
    modest.properties["max.partition.fetch.bytes"] = nil
    modest.properties.merge([
      "enable.partition.eof": "true", "enable.auto.commit": "false", "auto.offset.reset": "earliest",
      "fetch.message.max.bytes": "262144", "queued.max.messages.kbytes": "1024", "queued.min.messages": "500",
    ]) { $1 }
    return modest
  }
}

extension ConsumedRecord {
  /// Bytes of value and headers.
  var size: Int { (value?.count ?? 0) + headers.reduce(0) { $0 + ($1.value?.count ?? 0) } }
}
