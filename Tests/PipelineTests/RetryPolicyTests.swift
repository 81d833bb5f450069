import TestSupport
import Testing

@testable import Pipeline

@Suite("RetryPolicy", .timeLimit(.minutes(1)))
struct RetryPolicyTests {
  @Test(arguments: 1...40) func jitterStaysBetweenHalfAndTheCap(failures: Int) throws {
    let policy = RetryPolicy(attempts: 100, delay: .seconds(5), cap: .seconds(600))
    let whole = RetryPolicy.exponential(.seconds(5), failures: failures, cap: .seconds(600))
    var random = SeededRandom(seed: UInt64(failures))
    for _ in 0..<200 {
      let delay = try #require(policy.delay(afterFailures: failures, retryAfter: nil, using: &random))
      #expect(delay >= whole * 0.5 && delay <= whole && delay <= .seconds(600))
    }
  }

  @Test(arguments: [(1, 5), (2, 10), (3, 20), (7, 320), (8, 600), (64, 600), (Int.max, 600), (0, 5), (-3, 5)])
  func theDelayDoublesUpToItsCap(failures: Int, seconds: Int) {
    #expect(RetryPolicy.exponential(.seconds(5), failures: failures, cap: .seconds(600)) == .seconds(seconds))
  }

  @Test func whatTheServerAsksForIsTheLeast() {
    var random = SeededRandom(seed: 1)
    let policy = RetryPolicy(attempts: 3, delay: .seconds(1), cap: .seconds(2))
    let asked = policy.delay(afterFailures: 1, retryAfter: .seconds(90), using: &random)
    #expect(asked == .seconds(90))
    let own = policy.delay(afterFailures: 1, retryAfter: .zero, using: &random)
    #expect(own.map { $0 >= .milliseconds(500) } == true)
  }

  @Test(arguments: [(1, 0), (3, 2), (6, 5)]) func theLastAttemptHasNoDelay(attempts: Int, delays: Int) {
    var random = SeededRandom(seed: 2)
    let policy = RetryPolicy(attempts: attempts)
    let granted = (1...10).filter { policy.delay(afterFailures: $0, retryAfter: .seconds(1), using: &random) != nil }
    #expect(granted == Array(1..<(delays + 1)))
  }

  @Test func theLongestSettingsDoNotOverflow() {
    let day = Duration.seconds(86_400)
    #expect(RetryPolicy.exponential(day, failures: 100, cap: day) == day)
  }
}
