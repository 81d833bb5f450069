import FoundationEssentials
import Quota
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct QuotaGateFailureTests {
  @Test func anUnreachableStoreIsWaitedForWithGrowingPausesAndNothingIsSpent() async throws {
    let scene = GateScene(limit: 5, random: 1)
    scene.store.failure.update { $0 = QuotaStoreError(.unreachable, "connection refused") }
    let waiting = await scene.enqueue()
    var pauses: [Duration] = []
    for _ in 0..<9 {
      await scene.clock.waitUntilSleepers(1)
      let pause = try #require(scene.clock.timeToNextWake)
      pauses.append(pause)
      scene.advance(by: pause)
    }
    #expect(pauses == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
    await scene.clock.waitUntilSleepers(1)
    #expect(await scene.gate.state()[.default]?.reason == .storeUnreachable)
    #expect(await scene.gate.state()[.default]?.message == "connection refused")
    #expect(scene.ledger.ledger == nil)
    #expect(scene.messages == ["Waiting for quota"])
    scene.store.failure.update { $0 = nil }
    scene.advance(by: .seconds(30))
    #expect(try await waiting.value.remaining == 4)
    #expect(scene.messages == ["Waiting for quota", "Quota granted again"])
  }

  @Test func aLostLedgerStopsTheProcessUntilTheOperatorSpeaks() async throws {
    let scene = GateScene(limit: 5)
    let first = try await scene.gate.admit(.default, cost: 4)
    scene.ledger.ledger = nil
    let waiting = await scene.enqueue()
    for _ in 0..<20 {
      await scene.clock.waitUntilSleepers(1)
      scene.advance(by: try #require(scene.clock.timeToNextWake))
    }
    await scene.clock.waitUntilSleepers(1)
    let state = await scene.gate.state()[.default]
    #expect(state?.reason == .dataLoss)
    #expect(state?.reason?.needsOperator == true)
    #expect(state?.message?.contains("tubeline quota set default") == true)
    #expect(scene.ledger.ledger?.accounts.isEmpty == true, "nothing is spent")
    #expect(scene.log.value.map(\.level) == [.error])
    let operatorsStore = LedgerQuotaStore(scene.ledger, calendar: .fixedPeriod(.seconds(86_400)), time: scene.time.hostTime)
    try await operatorsStore.set(.default, spent: 4)
    scene.advance(by: .seconds(60))
    let grant = try await waiting.value
    #expect(grant.remaining == 0)
    #expect(grant.ledger != first.ledger)
  }

  @Test func aLostLedgerMayBeReplacedWhenTheSettingSaysSo() async throws {
    let scene = GateScene(limit: 5, onDataLoss: .reset)
    _ = try await scene.gate.admit(.default, cost: 4)
    scene.ledger.ledger = nil
    async let grant = scene.gate.admit(.default, cost: 1)
    await scene.clock.advanceUntil { scene.ledger.ledger != nil }
    #expect(try await grant.remaining == 4)
    #expect(scene.log.value.map(\.level) == [.warning])
  }

  @Test func aCallerWithoutPatienceHearsWhenTheUnitsComeBack() async throws {
    let scene = GateScene(limit: 1)
    let call = CallCost(bucket: .default, units: 1)
    _ = try await scene.gate.admit(call, within: .seconds(30))
    let reset = Date(timeIntervalSince1970: 20_001 * 86_400)
    for _ in 0..<2 {
      let refusal = await #expect(throws: QuotaRefusal.self) { try await scene.gate.admit(call, within: .seconds(30)) }
      #expect(refusal == .notBefore(reset))
    }
    // A store that is away says nothing about when: that is waited for.
    scene.store.failure.update { $0 = QuotaStoreError(.unreachable, "away") }
    let waiting = Task { try await scene.gate.admit(call, within: .seconds(30)) }
    await scene.clock.waitUntilSleepers(1)
    waiting.cancel()
    #expect(await waiting.result.failure as? QuotaRefusal == .cancelled)
  }

  @Test func exhaustionStopsTheBucketAndTheOthersGoOn() async throws {
    let scene = GateScene(limit: 5)
    let grant = try await scene.gate.admit(.default, cost: 1)
    await scene.gate.exhaust(grant)
    let waiting = await scene.enqueue()
    await scene.clock.waitUntilSleepers(1)
    #expect(await scene.gate.state()[.default]?.reason == .exhaustedByAPI)
    #expect(await scene.gate.state()[.default]?.remaining == 0)
    _ = try await scene.gate.admit(.search, cost: 1)
    waiting.cancel()
  }

  @Test func theUnitsThatTheAPIDidNotHaveAreKnownUntilTheReset() async throws {
    let scene = GateScene(limit: 5)
    let grants = [try await scene.gate.admit(.default, cost: 1), try await scene.gate.admit(.default, cost: 1)]
    for grant in grants { await scene.gate.exhaust(grant) }
    #expect(await scene.gate.state()[.default]?.drift == 3)
    let waiting = await scene.enqueue()
    await scene.clock.waitUntilSleepers(1)
    #expect(await scene.gate.state()[.default]?.drift == 3)
    scene.advance(by: .seconds(86_400))
    _ = try await waiting.value
    #expect(await scene.gate.state()[.default]?.drift == nil)
  }

  @Test func anAnswerAfterExhaustionIsToldOnceAndCounted() async throws {
    let scene = GateScene(limit: 10)
    let grants = [try await scene.gate.admit(.default, cost: 1), try await scene.gate.admit(.default, cost: 1)]
    await scene.gate.answered(grants[0])
    #expect(scene.events.value.allSatisfy { !$0.hasPrefix("contradicted") })
    await scene.gate.exhaust(grants[0])
    for grant in grants { await scene.gate.answered(grant) }
    #expect(scene.events.value.filter { $0.hasPrefix("contradicted") }.count == 2)
    #expect(scene.messages.filter { $0 == "The API answers although it had said that the quota is used up" }.count == 1)
  }

  @Test func exhaustionThatTheStoreCouldNotBeToldComesBeforeTheNextReservation() async throws {
    let scene = GateScene(limit: 5)
    let grant = try await scene.gate.admit(.default, cost: 1)
    scene.store.failure.update { $0 = QuotaStoreError(.unreachable, "connection refused") }
    await scene.gate.exhaust(grant)
    let waiting = await scene.enqueue()
    await scene.clock.waitUntilSleepers(1)
    #expect(scene.store.exhausts.value == 0)
    scene.store.failure.update { $0 = nil }
    scene.advance(by: .seconds(30))
    await scene.clock.waitUntilSleepers(1)
    #expect(scene.store.exhausts.value == 1)
    #expect(await scene.gate.state()[.default]?.reason == .exhaustedByAPI)
    #expect(scene.ledger.ledger?.accounts[.default]?.spent == 1)
    waiting.cancel()
  }

  @Test func aRefundThatTheStoreCouldNotBeToldStaysSpent() async throws {
    let scene = GateScene(limit: 5)
    let grant = try await scene.gate.admit(.default, cost: 1)
    scene.store.failure.update { $0 = QuotaStoreError(.unreachable, "connection refused") }
    await scene.gate.refund(grant)
    #expect(scene.messages == ["Refund lost"])
    scene.store.failure.update { $0 = nil }
    await scene.gate.refund(grant)
    #expect(scene.ledger.ledger?.accounts[.default]?.spent == 0)
  }

  @Test func aClockThatIsFarBehindNeedsAnOperator() async throws {
    let scene = GateScene(limit: 5)
    _ = try await scene.gate.admit(.default, cost: 1)
    scene.time.set(scene.time.now - 7_200_000)
    let waiting = await scene.enqueue()
    await scene.clock.waitUntilSleepers(1)
    #expect(await scene.gate.state()[.default]?.reason == .clockBehind)
    #expect(scene.log.value.map(\.level) == [.error])
    waiting.cancel()
  }

  @Test func theObserverHearsEveryChange() async throws {
    let scene = GateScene(limit: 1)
    let grant = try await scene.gate.admit(.default, cost: 1)
    let waiting = await scene.enqueue()
    await scene.clock.waitUntilSleepers(1)
    await scene.gate.refund(grant)
    scene.advance(by: .seconds(60))
    _ = try await waiting.value
    await scene.gate.exhaust(.search)
    #expect(
      scene.events.value.map { String($0.prefix { $0 != "(" }) } == ["granted", "waiting", "refunded", "granted", "resumed", "exhausted"])
  }
}

extension ManualClock {
  /// Wakes whoever sleeps, again and again, until the condition holds.
  fileprivate func advanceUntil(_ condition: () -> Bool) async {
    while !Task.isCancelled, !condition() {
      if let pause = timeToNextWake { advance(by: pause) }
      await Task.yield()
    }
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
