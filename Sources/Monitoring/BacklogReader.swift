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
    var counts = StageTallies(stages: starts.mapValues(\.stage), tallies: tallies)
    try await RangeReader(kafka: kafka, groupID: prefix + "tubeline-cli", clientID: "tubeline-cli")
      .read(starts.mapValues(\.offset), within: Self.limit, into: &counts)
    return counts.tallies.mapValues(\.result)
  }

  private func stretches(
    of row: StageOrder.Row, _ cluster: ClusterDescription
  ) async throws -> [(Kafka.TopicPartition, BacklogTally.Part, Range<Int64>)] {
    func partitions(_ topics: [Topic]) -> [Kafka.TopicPartition] { cluster.partitions(of: topics.map { prefix + $0.name }) }
    let inputs = partitions(row.inputs)
    let retries = row.retriesInPlace ? [] : partitions([.retry(row.stage)])
    let waiting = try await admin.uncommitted(groupID: prefix + row.stage.group, inputs + retries)
    var result = inputs.map { ($0, BacklogTally.Part.lag, waiting[$0] ?? 0..<0) } + retries.map { ($0, .retries, waiting[$0] ?? 0..<0) }
    for (partition, log) in try await admin.watermarks(partitions([.dead(row.stage)])) { result.append((partition, .deadLetters, log)) }
    return result
  }
}

/// The stages' counts, by the partitions that they read.
private struct StageTallies: RangeTally {
  let stages: [Kafka.TopicPartition: StageName]
  var tallies: [StageName: BacklogTally]

  mutating func note(_ record: ConsumedRecord) {
    if let stage = stages[record.topicPartition] { tallies[stage]?.note(record) }
  }

  mutating func reached(_ partition: Kafka.TopicPartition, _ offset: Int64) {
    if let stage = stages[partition] { tallies[stage]?.reached(partition, offset) }
  }

  func isFinished(_ partition: Kafka.TopicPartition) -> Bool {
    stages[partition].flatMap { tallies[$0]?.isFinished(partition) } ?? true
  }
}
