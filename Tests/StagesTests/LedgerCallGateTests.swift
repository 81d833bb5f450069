import Quota
import TestSupport
import Testing
import YouTubeAPI

@testable import Stages

@Suite("LedgerCallGate", .timeLimit(.minutes(1)))
struct LedgerCallGateTests {
  /// A ledger of a few units, and a clock that stands still.
  private struct Scene: Sendable {
    let clock = ManualClock()
    let store: LedgerQuotaStore
    let policy: QuotaPolicy
    let gate: LedgerCallGate

    init(units: Int, searches: Int = 1) {
      store = LedgerQuotaStore(
        MemoryLedger(), calendar: .fixedPeriod(.seconds(86_400)), time: ManualTime(20_000 * 86_400_000 + 43_200_000).hostTime)
      policy = QuotaPolicy(limits: [.default: units, .search: searches])
      gate = LedgerCallGate(QuotaGate(store: store, policy: policy, clock: clock, random: { 0 }))
    }

    func spent(_ bucket: Bucket = .default) async throws -> Int? {
      try await store.status(policy).first { $0.bucket == bucket }?.spent
    }

    /// What a call came to; a test whose time is over does not wait for it.
    func outcome(_ call: Task<CallPermit, any Error>) async throws -> CallPermit {
      try await withTaskCancellationHandler {
        try await call.value
      } onCancel: {
        call.cancel()
      }
    }

    /// A call that has to wait for the reset.
    func waiting() async -> Task<CallPermit, any Error> {
      let before = clock.sleepers
      let task = Task<CallPermit, any Error> { try await gate.admit(.videosList) }
      await clock.waitUntilSleepers(before + 1)
      return task
    }
  }

  @Test(arguments: APIMethod.allCases) func everyMethodTakesWhatItCostsFromItsOwnBucket(method: APIMethod) async throws {
    let scene = Scene(units: 5)
    let permit = try await scene.gate.admit(method)
    #expect(permit.method == method)
    #expect(try await scene.spent(.default) == (method == .searchList ? 0 : 1))
    #expect(try await scene.spent(.search) == (method == .searchList ? 1 : 0))
    #expect(CallCost.of(method.rawValue) != nil, "a method without a row costs a unit of the default bucket, whatever it is")
  }

  @Test func aRefundGivesTheUnitBackAndOnlyToItsLedger() async throws {
    let scene = Scene(units: 5)
    let permit = try await scene.gate.admit(.channelsList)
    await scene.gate.refund(CallPermit(method: .channelsList))
    #expect(try await scene.spent() == 1, "a permit of another gate holds no grant")
    await scene.gate.refund(permit)
    #expect(try await scene.spent() == 0)
  }

  @Test func whatTheAPICallsUsedUpIsUsedUpForAll() async throws {
    let scene = Scene(units: 5)
    let permit = try await scene.gate.admit(.channelsList)
    await scene.gate.exhausted(CallPermit(method: .channelsList))
    #expect(try await scene.store.status(scene.policy).allSatisfy { !$0.isExhausted })
    await scene.gate.exhausted(permit)
    let exhausted = try await scene.store.status(scene.policy).filter(\.isExhausted)
    #expect(exhausted.map(\.bucket) == [.default])
    let call = await scene.waiting()
    call.cancel()
    await #expect(throws: CallRefusal.self) { try await scene.outcome(call) }
  }

  @Test func aCancelledWaitEndsAloneAndSpendsNothing() async throws {
    let scene = Scene(units: 1)
    _ = try await scene.gate.admit(.videosList)
    let call = await scene.waiting()
    call.cancel()
    await #expect(throws: CallRefusal.self) { try await scene.outcome(call) }
    #expect(try await scene.spent() == 1)
    _ = try await scene.gate.admit(.searchList)
  }

  @Test func stoppingEndsEveryWaitAndAdmitsNothingMore() async throws {
    let scene = Scene(units: 1)
    _ = try await scene.gate.admit(.videosList)
    let first = await scene.waiting()
    let second = Task<CallPermit, any Error> { try await scene.gate.admit(.playlistItemsList) }
    scene.gate.stopWaiting()
    await #expect(throws: CallRefusal.self) { try await scene.outcome(first) }
    await #expect(throws: CallRefusal.self) { try await scene.outcome(second) }
    await #expect(throws: CallRefusal.self) { try await scene.gate.admit(.searchList) }
    #expect(try await scene.spent(.search) == 0, "units are left, but the worker leaves")
    #expect(try await scene.spent() == 1)
  }

  // A call that was admitted before goes on, and may still turn out not to have been made.
  @Test func refundsAreTakenAfterStopping() async throws {
    let scene = Scene(units: 1)
    let permit = try await scene.gate.admit(.videosList)
    scene.gate.stopWaiting()
    await scene.gate.refund(permit)
    #expect(try await scene.spent() == 0)
  }
}
