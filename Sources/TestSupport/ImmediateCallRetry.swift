import Synchronization
public import YouTubeAPI

/// Tries again a fixed number of times without waiting, and remembers how long it should have waited.
public final class ImmediateCallRetry: CallRetry {
  public struct Question: Sendable, Equatable {
    public let failures: Int
    public let retryAfter: Duration?

    public init(failures: Int, retryAfter: Duration?) {
      self.failures = failures
      self.retryAfter = retryAfter
    }
  }

  private let limit: Int
  private let state = Mutex<(questions: [Question], sleeps: [Duration])>(([], []))

  /// `retries`: tries after the first one.
  public init(retries: Int = 2) { limit = retries }

  public var questions: [Question] { state.withLock(\.questions) }
  public var sleeps: [Duration] { state.withLock(\.sleeps) }

  public func delay(afterFailures: Int, retryAfter: Duration?) -> Duration? {
    state.withLock { $0.questions.append(Question(failures: afterFailures, retryAfter: retryAfter)) }
    return afterFailures > limit ? nil : retryAfter ?? .seconds(afterFailures)
  }

  public func sleep(for duration: Duration) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    state.withLock { $0.sleeps.append(duration) }
  }
}
