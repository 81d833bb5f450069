public import Kafka
public import Telemetry

/// Records that wait for a consumer group, partition by partition, looked at again and again from outside of the group.
///
/// The distance between a group's offset and the end of a log counts the markers that end transactions, too: a partition in which nothing
/// waits seems to hold a message for ever. So a short distance is read, and of a long one the part that is records is taken from what was
/// read last.
public actor LagReader {
  private let reader: RangeReader
  private let logger: Logger
  private var admin: Admin?
  private var known: [Kafka.TopicPartition: (range: Range<Int64>, count: Int)] = [:]
  /// Records for each offset, as last read, by topic.
  private var density: [String: Double] = [:]
  private let initialDensity: Double

  /// Longer distances are not read: they are far from zero, however many markers are among them.
  private static let longestRead: Int64 = 100
  private static let readLimit = Duration.seconds(3)
  /// Fewer offsets tell nothing of the topic.
  private static let tellingOffsets = 10

  /// - Parameter hasMarkers: whether the topics are written in transactions.
  public init(_ kafka: KafkaConfiguration, group: String, clientID: String, hasMarkers: Bool, logger: Logger) {
    reader = RangeReader(kafka: kafka, groupID: group, clientID: clientID)
    self.logger = logger
    initialDensity = hasMarkers ? 0.5 : 1
  }

  /// Topics that don't exist are left out.
  public func read(_ topics: [String]) async throws -> [Kafka.TopicPartition: Int] {
    let admin = try self.admin ?? Admin(configuration: reader.kafka, clientID: reader.clientID, logger: logger)
    self.admin = admin
    let partitions = try await admin.describeCluster(timeout: .seconds(5)).partitions(of: topics)
    let ranges = try await admin.uncommitted(groupID: reader.groupID, partitions, timeout: .seconds(5))
    let doubtful = ranges.filter { !$0.value.isEmpty && $0.value.count <= Self.longestRead && known[$0.key]?.range != $0.value }
    try await look(doubtful)
    return ranges.reduce(into: [:]) { $0[$1.key] = count($1.key, $1.value) }
  }

  private func count(_ partition: Kafka.TopicPartition, _ range: Range<Int64>) -> Int {
    if range.isEmpty { return 0 }
    if let known = known[partition], known.range == range { return known.count }
    return max(1, Int((Double(range.count) * (density[partition.topic] ?? initialDensity)).rounded()))
  }

  private func look(_ ranges: [Kafka.TopicPartition: Range<Int64>]) async throws {
    var tallies = LagTallies(ranges)
    try await reader.read(ranges.mapValues(\.lowerBound), within: Self.readLimit, into: &tallies)
    for (partition, tally) in tallies.tallies {
      if tally.offsetsRead >= Self.tellingOffsets, tally.density > 0 { density[partition.topic] = tally.density }
      let result = tally.result
      known[partition] = result.isExact ? ranges[partition].map { ($0, result.records) } : nil
    }
  }

  public func close() async {
    await admin?.close()
    admin = nil
  }
}

/// One count for each partition.
private struct LagTallies: RangeTally {
  private(set) var tallies: [Kafka.TopicPartition: RecordTally]

  init(_ ranges: [Kafka.TopicPartition: Range<Int64>]) {
    tallies = ranges.mapValues { range in
      var tally = RecordTally()
      tally.add(0, range)
      return tally
    }
  }

  mutating func note(_ record: ConsumedRecord) { _ = tallies[record.topicPartition]?.note(0, offset: record.offset, bytes: record.size) }
  mutating func reached(_ partition: Kafka.TopicPartition, _ offset: Int64) { tallies[partition]?.reached(0, offset) }
  func isFinished(_ partition: Kafka.TopicPartition) -> Bool { tallies[partition]?.isFinished != false }
}
