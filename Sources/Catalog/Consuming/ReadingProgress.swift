import Kafka

/// How far the topics are read, and what keeps from reading them.
struct ReadingProgress: Sendable {
  /// Set by looks at the cluster only, as the other one is by writing: what works again says nothing about the other.
  var isBrokerAway = false
  var isStoreAway = false
  /// Those of which everything that was there has been read once.
  private var reached: Set<Kafka.TopicPartition> = []

  mutating func note(reached partition: Kafka.TopicPartition) { reached.insert(partition) }

  /// - Parameter partitions: those that are read.
  func state(of partitions: some Collection<Kafka.TopicPartition>) -> CatalogConsumer.State {
    if isBrokerAway || isStoreAway { return .away }
    if partitions.isEmpty { return .starting }
    return partitions.allSatisfy(reached.contains) ? .live : .catchingUp
  }
}
