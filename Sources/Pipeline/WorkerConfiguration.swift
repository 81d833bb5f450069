/// The worker's limits and times.
public struct WorkerConfiguration: Sendable {
  /// How many messages are handled at the same time.
  public var concurrency: Int
  /// How many messages may be held, waiting, handled or finished but not yet delivered.
  public var window: Int
  /// The shortest time between two deliveries; zero delivers as soon as the previous one is done.
  public var deliveryInterval: Duration
  public var retry: RetryPolicy
  /// How long running work may go on after its partition was revoked.
  public var revokeGrace: Duration
  /// How long running work may go on after a shutdown was asked for.
  public var shutdownGrace: Duration
  /// How long a stopped stage waits before it looks whether the trouble was mended.
  public var stoppedDelay: Duration
  /// So many different messages that fail in a row are an outage, which opens the circuit breaker; 0 is never.
  public var breakerFailures: Int
  /// When one message looks whether the outage is over; twice as late after each that finds it is not, up to a minute.
  public var breakerDelay: Duration
  static let longestBreakerDelay = Duration.seconds(60)
  /// How many messages before its committed offset are read of a partition that comes, so that repetitions of them are known: for
  /// deliveries that may publish twice.
  public var lookback: Int

  public init(
    concurrency: Int = 16, window: Int? = nil, deliveryInterval: Duration = .zero, retry: RetryPolicy = RetryPolicy(),
    revokeGrace: Duration = .seconds(3), shutdownGrace: Duration = .seconds(25), stoppedDelay: Duration = .seconds(30),
    breakerFailures: Int = 5, breakerDelay: Duration = .seconds(5), lookback: Int = 0
  ) {
    self.concurrency = concurrency
    self.window = window ?? max(64, concurrency * 4)
    self.deliveryInterval = deliveryInterval
    self.retry = retry
    self.revokeGrace = revokeGrace
    self.shutdownGrace = shutdownGrace
    self.stoppedDelay = stoppedDelay
    self.breakerFailures = breakerFailures
    self.breakerDelay = breakerDelay
    self.lookback = lookback
  }
}
