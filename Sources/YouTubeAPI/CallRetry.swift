/// Back-off within the process.
public protocol CallRetry: Sendable {
  /// How long to wait before the next try, after 1, 2, … failures in a row; `nil` gives up. `retryAfter` is what the API asked for.
  func delay(afterFailures: Int, retryAfter: Duration?) -> Duration?

  func sleep(for duration: Duration) async throws(CancellationError)
}
