/// How often and how late a failed message is tried again.
public struct RetryPolicy: Sendable, Equatable {
  /// How many times a message is handled at most, the first time included.
  public var attempts: Int
  /// The first delay; each further one is twice as long, up to `cap`.
  public var delay: Duration
  public var cap: Duration

  public init(attempts: Int = 6, delay: Duration = .seconds(5), cap: Duration = .seconds(600)) {
    self.attempts = attempts
    self.delay = delay
    self.cap = cap
  }

  /// The delay after the given number of failures (from 1), or `nil` when there was the last attempt.
  ///
  /// Between half and the whole of the exponential value, so that messages that failed together do not return together;
  /// never shorter than the server asked for.
  public func delay(afterFailures failures: Int, retryAfter: Duration?, using generator: inout some RandomNumberGenerator) -> Duration? {
    guard failures < attempts else { return nil }
    let whole = Self.exponential(delay, failures: failures, cap: cap)
    let jittered = whole * Double.random(in: 0.5...1, using: &generator)
    return max(jittered, retryAfter ?? .zero)
  }

  /// `base` doubled for each failure after the first, at most `cap`.
  public static func exponential(_ base: Duration, failures: Int, cap: Duration) -> Duration {
    let doublings = min(max(failures - 1, 0), 30)
    return min(base * (1 << doublings), cap)
  }
}
