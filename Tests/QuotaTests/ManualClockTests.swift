import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ManualClockTests {
  @Test func sleepersWakeWhenTheirTimeHasCome() async throws {
    let clock = ManualClock()
    async let short: Void = clock.sleep(for: .seconds(1))
    async let long: Void = clock.sleep(for: .seconds(5))
    await clock.waitUntilSleepers(2)
    #expect(clock.timeToNextWake == .seconds(1))
    clock.advance(by: .milliseconds(999))
    #expect(clock.sleepers == 2)
    clock.advance(by: .milliseconds(1))
    try await short
    #expect(clock.sleepers == 1)
    clock.advance(by: .seconds(4))
    try await long
  }

  @Test func aCancelledSleeperLeavesAtOnce() async throws {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.waitUntilSleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleepers == 0)
  }

  @Test func aTimeThatIsOverDoesNotSleep() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(3))
    try await clock.sleep(until: .init(offset: .seconds(3)))
    try await clock.sleep(until: .init(offset: .zero))
  }
}
