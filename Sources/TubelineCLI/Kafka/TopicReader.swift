import FoundationEssentials
import Kafka
import Monitoring
import Telemetry

/// Records that the broker no longer had when they were asked for.
struct TopicGap: Error, CustomStringConvertible {
  let partition: TopicPartition
  let description: String
}

/// Reads whole topics without a consumer group: every partition, from its beginning or its end.
actor TopicReader {
  enum Start: Sendable {
    case beginning, end
    /// At this offset of every partition, or at the nearest that its log has.
    case offset(Int64)
  }

  private let consumer: Consumer
  private let servers: String
  /// Positions to be reached for `hasReached`; what was read is known from records and from ends of partitions.
  private var positions: [TopicPartition: Int64] = [:]
  private var lastError: KafkaError?
  private let batch = 500

  /// - Parameter signal: raised when there may be something to read; shared with whoever else wakes the same task.
  init(configuration: KafkaConfiguration, logger: Logger, signal: Signal) throws {
    var configuration = configuration
    configuration.properties["enable.partition.eof"] = "true"
    // A reader that fell behind must hear of it; it must not go on elsewhere by itself.
    configuration.properties["auto.offset.reset"] = "error"
    servers = configuration.bootstrapServers
    consumer = try Consumer(
      configuration: configuration, groupID: "tubeline-cli-\(UUID().uuidString)", clientID: "tubeline-cli", logger: logger,
      wake: { signal.raise() })
  }

  /// Begins to read the partitions. Returns each log's extent as it is now.
  func open(_ partitions: [TopicPartition], from start: Start) async throws -> [TopicPartition: Range<Int64>] {
    let extents = try await watermarks(partitions)
    var starts: [TopicPartition: StartPosition] = [:]
    for (partition, extent) in extents {
      let offset: Int64 =
        switch start {
        case .beginning: extent.lowerBound
        case .end: extent.upperBound
        case .offset(let offset): min(max(offset, extent.lowerBound), extent.upperBound)
        }
      starts[partition] = .offset(offset)
      positions[partition] = offset
    }
    try await consumer.assign(starts)
    return extents
  }

  /// What can be read now, without waiting. Throws `TopicGap`, or the client's last error.
  func take() throws -> [ConsumedRecord] {
    var records: [ConsumedRecord] = []
    for partition in positions.keys.sorted() {
      let taken = consumer.take(from: partition, upTo: batch)
      if let last = taken.last { positions[partition] = max(positions[partition] ?? 0, last.offset + 1) }
      records += taken
    }
    for event in consumer.poll() { try note(event) }
    return records
  }

  private func note(_ event: ConsumerEvent) throws {
    switch event {
    case .endOfPartition(let partition, let offset):
      // Markers of transactions lie between the last record and the end.
      positions[partition] = max(positions[partition] ?? 0, offset)
      lastError = nil
    case .offsetOutOfRange(let partition, let error):
      let position = positions[partition].map { "\($0)" } ?? "unknown"
      throw TopicGap(
        partition: partition,
        description: "\(partition): the broker no longer has offset \(position), so records are lost (\(error.description))")
    case .error(let error):
      if error.isFatal { throw error }
      lastError = error
    case .assigned, .revoked, .lost, .statistics: break
    }
  }

  /// Whether everything before the given ends has been taken.
  func hasReached(_ extents: [TopicPartition: Range<Int64>]) -> Bool {
    extents.allSatisfy { partition, extent in (positions[partition] ?? 0) >= extent.upperBound }
  }

  func watermarks(_ partitions: [TopicPartition]) async throws -> [TopicPartition: Range<Int64>] {
    var extents: [TopicPartition: Range<Int64>] = [:]
    for partition in partitions { extents[partition] = try await consumer.watermarks(partition) }
    return extents
  }

  /// Trouble that the client may overcome by itself; nil after the next good news.
  var trouble: KafkaError? { lastError }

  func close() async { await consumer.close() }
}
