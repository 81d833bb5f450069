public import Kafka
public import Messages
public import Pipeline
import Synchronization
public import Telemetry

/// A member of a stage's consumer group: the worker's source, and the owner of its offsets.
public final class KafkaMember: MessageSource {
  let consumer: Consumer
  private let logger: Logger
  private let wake: WakeUp

  /// - Parameters:
  ///   - topics: full names, prefix included.
  ///   - instanceID: static membership; `nil` is dynamic.
  ///   - commitInterval: how often offsets that were stored are committed; `nil` when transactions carry them.
  public init(
    configuration: KafkaConfiguration, group: String, topics: [String], instanceID: String?, clientID: String, commitInterval: Duration?,
    logger: Logger
  ) throws {
    let wake = WakeUp()
    self.wake = wake
    self.logger = logger
    var configuration = configuration
    if let commitInterval {
      // The library knows when the group rebalances. A commit that is sent then comes back with the error of an old generation, upon which
      // librdkafka 2.0.2 gives up its whole assignment; its own commits wait until the rebalance is over.
      configuration.properties["enable.auto.commit"] = "true"
      configuration.properties["auto.commit.interval.ms"] = String(max(1, Int(commitInterval / .milliseconds(1))))
    } else {
      configuration.properties["enable.auto.commit"] = "false"
    }
    let consumer = try Consumer(
      configuration: configuration, groupID: group, instanceID: instanceID, clientID: clientID, logger: logger, wake: { wake.call() })
    self.consumer = consumer
    try consumer.subscribe(topics)
  }

  public func onWake(_ wake: @escaping @Sendable () -> Void) { self.wake.set(wake) }

  public func poll() -> [SourceEvent] { consumer.poll().compactMap(event) }

  private func event(_ event: ConsumerEvent) -> SourceEvent? {
    switch event {
    case .assigned(let partitions): .assigned(partitions.map(Messages.TopicPartition.init))
    case .revoked(let partitions): .revoked(partitions.map(Messages.TopicPartition.init))
    case .lost(let partitions): .lost(partitions.map(Messages.TopicPartition.init))
    case .offsetOutOfRange(let partition, let error): .gap(Messages.TopicPartition(partition), error.description)
    case .error(let error): .error(error.description, isFatal: error.isFatal)
    case .statistics, .endOfPartition: nil
    }
  }

  public func take(from partition: Messages.TopicPartition, upTo limit: Int) -> [ReceivedMessage] {
    consumer.take(from: partition.kafka, upTo: limit).map { ReceivedMessage($0, partition) }
  }

  /// Where no offset was ever committed, reading starts at the beginning: nothing that was published before the first worker is skipped.
  public func start(_ partitions: [Messages.TopicPartition], lookback: Int) async throws -> [Messages.TopicPartition: Int64] {
    let wanted = partitions.map(\.kafka)
    let committed = try await committedOffsets(wanted)
    let first = lookback > 0 ? await lookingBack(lookback, from: committed) : committed
    var positions: [Kafka.TopicPartition: StartPosition] = [:]
    for partition in wanted { positions[partition] = first[partition].map { .offset($0) } ?? .beginning }
    try await consumer.assign(positions)
    return Dictionary(uniqueKeysWithValues: committed.map { (Messages.TopicPartition($0), $1) })
  }

  // Only within the log: a committed offset outside of it is a gap, and what is in the log then is not what was handled.
  private func lookingBack(_ count: Int, from committed: [Kafka.TopicPartition: Int64]) async -> [Kafka.TopicPartition: Int64] {
    var first = committed
    for (partition, offset) in committed {
      do {
        let log = try await consumer.watermarks(partition, timeout: .seconds(3))
        if log.lowerBound <= offset, offset <= log.upperBound { first[partition] = max(log.lowerBound, offset - Int64(count)) }
      } catch {
        logger.notice("Earlier messages are not read again; repetitions of them are not known", ["error": "\(error)"])
        return first
      }
    }
    return first
  }

  // The coordinator may just be moving: asking again is right for as long as the membership lives.
  private func committedOffsets(_ partitions: [Kafka.TopicPartition]) async throws -> [Kafka.TopicPartition: Int64] {
    var failures = 0
    while true {
      do { return try await consumer.committed(partitions, timeout: .seconds(5)) } catch {
        failures += 1
        if failures >= 20 { throw error }
        logger.warning("Committed offsets cannot be read yet", ["error": "\(error)"])
        // Some errors come back at once: twenty of them within a millisecond are no outage.
        try await Task.sleep(for: RetryPolicy.exponential(.milliseconds(200), failures: failures, cap: .seconds(2)))
      }
    }
  }

  public func release(_ partitions: [Messages.TopicPartition]) async {
    do { try await consumer.unassign(partitions.map(\.kafka)) } catch {
      logger.warning("Partitions were not given up cleanly", ["error": "\(error)"])
    }
  }

  public func startAtOldest(_ partition: Messages.TopicPartition) async throws {
    let oldest = try await consumer.watermarks(partition.kafka).lowerBound
    try await consumer.seek(partition.kafka, to: oldest)
  }

  public func close() async {
    await consumer.close()
  }
}

/// What the consumer calls from its own threads before and after a worker exists.
private final class WakeUp: Sendable {
  private let action = Mutex<(@Sendable () -> Void)?>(nil)

  func set(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }
  func call() { action.withLock { $0 }?() }
}
