import TestSupport
import Testing

@testable import Stages

@Suite("BackoffRetry", .timeLimit(.minutes(1)))
struct BackoffRetryTests {
  private let retry = BackoffRetry(attempts: 4, base: .milliseconds(500), cap: .milliseconds(1200))

  @Test(arguments: [(1, Duration.milliseconds(500)), (2, .milliseconds(1000)), (3, .milliseconds(1200))])
  func aPauseIsAnythingUpToTheDoubledValueAndTheCap(failures: Int, most: Duration) throws {
    let pauses = (0..<200).compactMap { _ in retry.delay(afterFailures: failures, retryAfter: nil) }
    #expect(pauses.count == 200)
    #expect(pauses.allSatisfy { $0 >= .zero && $0 <= most })
    let spread = try #require(pauses.max()) - (try #require(pauses.min()))
    #expect(spread > most / 2, "full jitter: calls that failed together do not return together")
  }

  @Test(arguments: [(3, false), (4, true), (5, true)]) func theLastAttemptIsNotFollowedByAPause(failures: Int, isOver: Bool) {
    #expect((retry.delay(afterFailures: failures, retryAfter: nil) == nil) == isOver)
  }

  @Test func whatTheServerAsksForIsTheLeast() {
    for _ in 0..<50 {
      #expect(retry.delay(afterFailures: 1, retryAfter: .milliseconds(900)) == .milliseconds(900))
      #expect(retry.delay(afterFailures: 1, retryAfter: .milliseconds(1200)) == .milliseconds(1200))
    }
  }

  // The message is not held for so long: it goes to its retry topic, which other workers read as well.
  @Test func aLongerPauseThanTheCapIsLeftToTheRetryTopic() {
    #expect(retry.delay(afterFailures: 1, retryAfter: .milliseconds(1201)) == nil)
  }

  @Test func aPauseIsSleptOnTheClockAndEndsWithItsTask() async throws {
    let clock = ManualClock()
    let retry = BackoffRetry(clock: clock)
    async let pause: Void = retry.sleep(for: .seconds(3))
    await clock.waitUntilSleepers(1)
    #expect(clock.timeToNextWake == .seconds(3))
    clock.advance(by: .seconds(3))
    try await pause
    let cancelled = Task<Void, any Error> { try await retry.sleep(for: .seconds(3)) }
    await clock.waitUntilSleepers(1)
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }
}
