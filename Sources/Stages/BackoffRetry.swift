import Pipeline
public import YouTubeAPI

/// Backoff within one handling of a message: a few quick tries before the message goes to its retry topic.
public struct BackoffRetry: CallRetry {
  private let attempts: Int
  private let base: Duration
  private let cap: Duration
  private let clock: any Clock<Duration>

  /// - Parameter attempts: calls in all, the first one included.
  public init(
    attempts: Int = 3, base: Duration = .milliseconds(500), cap: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.attempts = attempts
    self.base = base
    self.cap = cap
    self.clock = clock
  }

  /// Full jitter: anything up to the exponential value. A server that wants a longer pause gets it through the retry topic.
  public func delay(afterFailures failures: Int, retryAfter: Duration?) -> Duration? {
    guard failures < attempts else { return nil }
    if let retryAfter, retryAfter > cap { return nil }
    let whole = RetryPolicy.exponential(base, failures: failures, cap: cap)
    return max(whole * Double.random(in: 0...1), retryAfter ?? .zero)
  }

  public func sleep(for duration: Duration) async throws(CancellationError) {
    do { try await clock.sleep(for: duration) } catch { throw CancellationError() }
  }
}
