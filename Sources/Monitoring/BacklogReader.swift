import FoundationEssentials
public import Kafka
public import Messages
import Stages

/// Counts what waits for the stages, from each group's committed offsets to the ends of the logs, outside of the groups.
public struct BacklogReader {
  /// What has not been counted by then is estimated.
  public static let limit = Duration.seconds(4)

  let kafka: KafkaConfiguration
  let prefix: String
  let admin: Admin

  public init(kafka: KafkaConfiguration, prefix: String, admin: Admin) {
    self.kafka = kafka
    self.prefix = prefix
    self.admin = admin
  }

  public func read(_ cluster: ClusterDescription) async throws -> [StageName: Backlog] {
    var tallies: [StageName: BacklogTally] = [:]
    var starts: [Kafka.TopicPartition: (stage: StageName, offset: Int64)] = [:]
    for row in StageOrder.rows {
      var tally = BacklogTally(now: Date())
      for (partition, part, range) in try await stretches(of: row, cluster) {
        tally.add(partition, part, range)
        if !range.isEmpty { starts[partition] = (row.stage, range.lowerBound) }
      }
      tallies[row.stage] = tally
    }
    if !starts.isEmpty { try await count(starts, into: &tallies) }
    return tallies.mapValues(\.result)
  }

  private func stretches(
    of row: StageOrder.Row, _ cluster: ClusterDescription
  ) async throws -> [(Kafka.TopicPartition, BacklogTally.Part, Range<Int64>)] {
    func partitions(_ topics: [Topic]) -> [Kafka.TopicPartition] { cluster.partitions(of: topics.map { prefix + $0.name }) }
    let inputs = partitions(row.inputs)
    let retries = row.retriesInPlace ? [] : partitions([.retry(row.stage)])
    let committed = try await admin.committed(groupID: prefix + row.stage.group, inputs + retries)
    var result: [(Kafka.TopicPartition, BacklogTally.Part, Range<Int64>)] = []
    for (part, partitions) in [(BacklogTally.Part.lag, inputs), (.retries, retries), (.deadLetters, partitions([.dead(row.stage)]))] {
      for partition in partitions {
        let log = try await admin.watermarks(partition)
        let begin = part == .deadLetters ? log.lowerBound : max(log.lowerBound, committed[partition] ?? log.lowerBound)
        result.append((partition, part, min(begin, log.upperBound)..<log.upperBound))
      }
    }
    return result
  }

  private func count(
    _ starts: [Kafka.TopicPartition: (stage: StageName, offset: Int64)], into tallies: inout [StageName: BacklogTally]
  ) async throws {
    let signal = Signal()
    var configuration = kafka
    configuration.properties["enable.partition.eof"] = "true"
    configuration.properties["auto.offset.reset"] = "earliest"
    // No more is fetched ahead than is looked at.
    configuration.properties["queued.max.messages.kbytes"] = "1024"
    configuration.properties["queued.min.messages"] = "500"
    let consumer = try Consumer(
      configuration: configuration, groupID: "tubeline-cli-\(UUID().uuidString)", clientID: "tubeline-cli", logger: .silent,
      wake: { signal.raise() })
    let outcome: Result<Void, any Error>
    do {
      try await consumer.assign(starts.mapValues { .offset($0.offset) })
      outcome = .success(try await count(consumer, signal, starts.mapValues(\.stage), into: &tallies))
    } catch { outcome = .failure(error) }
    await consumer.close()
    try outcome.get()
  }

  private func count(
    _ consumer: Consumer, _ signal: Signal, _ stages: [Kafka.TopicPartition: StageName], into tallies: inout [StageName: BacklogTally]
  ) async throws {
    let deadline = Deadline(after: Self.limit, signal: signal)
    defer { deadline.cancel() }
    var open = stages
    while !deadline.hasPassed {
      var hasMore = false
      for (partition, stage) in open {
        let records = consumer.take(from: partition, upTo: 200)
        for record in records { tallies[stage]?.note(record) }
        if records.count == 200 { hasMore = true }
      }
      for event in consumer.poll() {
        guard case .endOfPartition(let partition, let offset) = event, let stage = open[partition] else { continue }
        tallies[stage]?.reached(partition, offset)
      }
      let done = open.filter { partition, stage in tallies[stage]?.isFinished(partition) != false }.map(\.key)
      if !done.isEmpty {
        for partition in done { open[partition] = nil }
        if open.isEmpty { return }
        try await consumer.unassign(done)
      }
      if !hasMore { await signal.wait() }
      try Task.checkCancellation()
    }
  }
}
