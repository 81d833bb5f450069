public import Messages

/// A worker's state at one moment.
public struct WorkerStatus: Sendable, Equatable {
  public let partitions: [TopicPartition]
  public let running: Int
  public let held: Int
  public let delayed: Int
  /// Assigned partitions from which nothing is taken now.
  let paused: Int
  let windowLimit: Int
  let concurrencyLimit: Int
  let halt: Halt.Cause?
  public let isShuttingDown: Bool
  /// Whether the group has taken this worker in, with partitions or, when there are more workers than partitions, without.
  public let hasJoined: Bool

  public var assigned: Int { partitions.count }

  /// What must be mended before the stage goes on.
  public var stopReason: String? { if case .stopped(let fix)? = halt { fix } else { nil } }

  /// The failure on which the circuit breaker opened; it closes by itself.
  public var outage: String? { if case .outage(let reason)? = halt { reason } else { nil } }

  /// Whether the stage does its work.
  public var isReady: Bool { hasJoined && halt == nil && !isShuttingDown }
}
