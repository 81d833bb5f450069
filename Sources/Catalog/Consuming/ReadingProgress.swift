import Kafka

/// How far the topics are read, and what keeps from reading them.
struct ReadingProgress: Sendable {
  typealias Logs = [Kafka.TopicPartition: Range<Int64>]

  /// Set by looks at the cluster only, as the other one is by writing: what works again says nothing about the other.
  var isBrokerAway = false
  var isStoreAway = false
  /// The next offset to read of each partition, stored together with what comes from the records before it.
  var positions: [Kafka.TopicPartition: Int64] = [:]
  /// Where nothing more was to be read: behind a log's last record there may be markers of transactions.
  private var reached: [Kafka.TopicPartition: Int64] = [:]
  /// The latest looks at the logs, from the first that is as old as the patience.
  private var looks: [(at: ContinuousClock.Instant, logs: Logs)] = []
  private var isEndKnown = false
  private var isLive = false

  /// What has been there for so long and is not read makes a backlog.
  static let patience = Duration.seconds(3)
  /// What was read at a look that is older says nothing of now. A broker that is slow may take half of it for a look.
  static let lifetime = Duration.seconds(20)

  mutating func note(reached partition: Kafka.TopicPartition, _ offset: Int64) { reached[partition] = offset }

  /// The partition is read from another place on, or no longer.
  mutating func move(_ partition: Kafka.TopicPartition, to offset: Int64?) {
    positions[partition] = offset
    reached[partition] = nil
  }

  /// The logs are another cluster's from now on.
  mutating func forgetLogs() {
    var new = ReadingProgress()
    (new.isBrokerAway, new.isStoreAway) = (isBrokerAway, isStoreAway)
    self = new
  }

  /// A look at the logs, from their first offsets to their ends.
  mutating func note(_ logs: Logs, at now: ContinuousClock.Instant) {
    forget(before: now)
    looks.append((now, logs))
    while looks.count > 1, looks[1].at <= now - Self.patience { looks.removeFirst() }
    isEndKnown = true
    // A stream that comes steadily is never read to its end, but soon to where that was at the last look.
    isLive = isLive ? looks[0].at > now - Self.patience || isRead(looks[0].logs) : looks.suffix(2).contains { isRead($0.logs) }
  }

  /// A look that failed.
  mutating func noteUnknownEnds(at now: ContinuousClock.Instant) {
    isEndKnown = false
    forget(before: now)
  }

  private mutating func forget(before now: ContinuousClock.Instant) {
    guard let last = looks.last, last.at < now - Self.lifetime else { return }
    looks = []
    isLive = false
  }

  private func isRead(_ logs: Logs) -> Bool { logs.allSatisfy { unread($0.key, $0.value) == 0 } }

  private func unread(_ partition: Kafka.TopicPartition, _ log: Range<Int64>) -> Int64 {
    max(0, log.upperBound - max(positions[partition] ?? 0, reached[partition] ?? 0, log.lowerBound))
  }

  /// How many offsets lie between what is stored of the partitions and the ends of their logs; nil while these are not known.
  func behind(in isWanted: (Kafka.TopicPartition) -> Bool) -> Int? {
    guard isEndKnown, !isBrokerAway, let last = looks.last else { return nil }
    return Int(clamping: last.logs.reduce(0) { isWanted($1.key) ? $0 + unread($1.key, $1.value) : $0 })
  }

  var state: CatalogConsumer.State {
    if isBrokerAway || isStoreAway { return .away }
    if positions.isEmpty { return .starting }
    return isLive ? .live : .catchingUp
  }
}
