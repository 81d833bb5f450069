public import Messages

/// Where messages come from: one member of a consumer group. Nothing here waits for messages.
public protocol MessageSource: Sendable {
  /// Sets what is called, from any thread, when `poll` or `take` would find something. Call it before anything else.
  func onWake(_ wake: @escaping @Sendable () -> Void)
  /// What happened to the membership since the last call. Calling it keeps the member alive in its group.
  func poll() -> [SourceEvent]
  /// The next messages of a partition, in offset order; not taking them is back-pressure.
  func take(from partition: TopicPartition, upTo limit: Int) -> [ReceivedMessage]
  /// Begins reading the partitions, up to `lookback` messages before their committed offsets, or at their beginning.
  ///
  /// Returns the committed offset of each partition that has one: what lies below was handled.
  func start(_ partitions: [TopicPartition], lookback: Int) async throws -> [TopicPartition: Int64]
  /// Lets partitions go after they were revoked or lost.
  func release(_ partitions: [TopicPartition]) async
  /// Goes on at the oldest message that the log still has, after a gap.
  func startAtOldest(_ partition: TopicPartition) async throws
  /// Leaves the group.
  func close() async
}

/// What happens to a member of a consumer group.
public enum SourceEvent: Sendable, Equatable {
  /// Partitions came; they are read after `start`.
  case assigned([TopicPartition])
  /// Partitions are to be given up; others get them after `release`.
  case revoked([TopicPartition])
  /// Partitions are gone already: others may work on them.
  case lost([TopicPartition])
  /// The log no longer has the committed offset: messages were lost to retention.
  case gap(TopicPartition, String)
  case error(String, isFatal: Bool)

  /// Whether partitions came or went.
  var movesPartitions: Bool {
    switch self {
    case .assigned(let partitions), .revoked(let partitions), .lost(let partitions): !partitions.isEmpty
    case .gap, .error: false
    }
  }
}
