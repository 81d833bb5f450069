import Foundation
import Quota
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct QuotaGateTests {
  @Test func grantsAtOnceWhatIsThere() async throws {
    let scene = GateScene(limit: 2)
    #expect(try await scene.gate.admit(.default, cost: 1).remaining == 1)
    #expect(try await scene.gate.admit(CallCost(bucket: .default, units: 1)).remaining == 0)
    #expect(scene.messages.isEmpty)
    let state = await scene.gate.state()[.default]
    #expect(state?.remaining == 0)
    #expect(state?.waiting == 0)
  }

  @Test func waitersAreServedInTheirOrder() async throws {
    let scene = GateScene(limit: 5)
    try await scene.store.set(.default, spent: 5)
    var tasks: [Task<Grant, any Error>] = []
    for _ in 0..<5 { tasks.append(await scene.enqueue()) }
    await scene.clock.waitUntilSleepers(1)
    try await scene.store.set(.default, spent: 0)
    scene.advance(by: .seconds(60))
    var left: [Int] = []
    for task in tasks { left.append(try await task.value.remaining) }
    #expect(left == [4, 3, 2, 1, 0])
  }

  @Test func aBucketThatWaitsDoesNotBlockAnother() async throws {
    let scene = GateScene(limit: 0)
    let waiting = await scene.enqueue(.default)
    await scene.clock.waitUntilSleepers(1)
    #expect(try await scene.gate.admit(.search, cost: 1).remaining == 99)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func onlyTheFirstInLineAsksAndAtMostOnceAMinute() async throws {
    let scene = GateScene(limit: 1, random: 0.999)
    _ = try await scene.gate.admit(.default, cost: 1)
    var tasks: [Task<Grant, any Error>] = []
    for _ in 0..<50 { tasks.append(await scene.enqueue()) }
    await scene.clock.waitUntilSleepers(1)
    for _ in 0..<10 {
      let pause = try #require(scene.clock.timeToNextWake)
      #expect(pause > .seconds(59) && pause <= .seconds(60))
      scene.advance(by: pause)
      await scene.clock.waitUntilSleepers(1)
    }
    #expect(scene.store.reserves.value == 12)
    for task in tasks { task.cancel() }
  }

  @Test(arguments: [0, 0.5, 0.999])
  func theWaitEndsAtTheResetOrALittleLater(random: Double) async throws {
    let scene = GateScene(limit: 1, random: random)
    scene.time.set(20_001 * 86_400_000 - 30_000)
    _ = try await scene.gate.admit(.default, cost: 1)
    let waiting = await scene.enqueue()
    await scene.clock.waitUntilSleepers(1)
    let pause = try #require(scene.clock.timeToNextWake)
    #expect(pause >= .seconds(30) && pause <= .seconds(32))
    scene.advance(by: pause)
    #expect(try await waiting.value.day.start == 20_001 * 86_400_000)
  }

  @Test func waitingAndGoingOnAreLoggedOnceEach() async throws {
    let scene = GateScene(limit: 1)
    _ = try await scene.gate.admit(.default, cost: 1)
    let waiting = await scene.enqueue()
    for _ in 0..<5 {
      await scene.clock.waitUntilSleepers(1)
      scene.advance(by: try #require(scene.clock.timeToNextWake))
    }
    await scene.clock.waitUntilSleepers(1)
    let state = await scene.gate.state()[.default]
    #expect(state?.reason == .usedUp)
    #expect(state?.until == Date(timeIntervalSince1970: 20_001 * 86_400))
    #expect(scene.messages == ["Waiting for quota"])
    let fields = Dictionary(uniqueKeysWithValues: try #require(scene.log.value.first).metadata)
    #expect(fields["quota.bucket"] == .string("default"))
    #expect(fields["quota.reason"] == .string("usedUp"))
    #expect(fields["quota.until"] == .string("2024-10-05T00:00:00.000Z"))
    scene.advance(by: .seconds(86_400))
    _ = try await waiting.value
    #expect(scene.messages == ["Waiting for quota", "Quota granted again"])
    #expect(await scene.gate.state()[.default]?.reason == nil)
  }

  @Test func pacingIsLoggedOnceHoweverOftenItWaits() async throws {
    let scene = GateScene(limit: 10_000, pacing: .even)
    try await scene.store.set(.default, spent: 5100)
    for _ in 0..<5 {
      let waiting = await scene.enqueue()
      while !Task.isCancelled, await scene.gate.state()[.default]?.waiting == 1 {
        if let pause = scene.clock.timeToNextWake { scene.advance(by: pause) }
        await Task.yield()
      }
      _ = try await waiting.value
    }
    #expect(scene.messages == ["Waiting for quota"])
  }

  @Test func aCancelledWaiterLeavesAtOnceAndTheNextMovesUp() async throws {
    let scene = GateScene(limit: 1)
    _ = try await scene.gate.admit(.default, cost: 1)
    let first = await scene.enqueue()
    let second = await scene.enqueue()
    let third = await scene.enqueue()
    await scene.clock.waitUntilSleepers(1)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    await scene.waitUntilWaiting(2)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    await scene.clock.waitUntilSleepers(1)
    await scene.waitUntilWaiting(1)
    scene.advance(by: .seconds(86_400))
    _ = try await third.value
  }

  @Test func aTaskThatIsCancelledAlreadyIsNotAdmitted() async throws {
    let scene = GateScene(limit: 1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await scene.gate.admit(.default, cost: 1)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(scene.store.reserves.value == 0)
  }

  @Test func unitsGrantedToACancelledCallGoBack() async throws {
    let scene = GateScene(limit: 1)
    scene.store.beforeReserve.update { $0 = { withUnsafeCurrentTask { $0?.cancel() } } }
    let task = Task { try await scene.gate.admit(.default, cost: 1) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(scene.ledger.ledger?.accounts[.default]?.spent == 0)
    #expect(scene.ledger.ledger?.sequence == 2)
  }

  @Test func theUnitOfACallThatIsCancelledWhileItReservesForTheLineGoesBack() async throws {
    let scene = GateScene(limit: 100)
    let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
    scene.store.beforeReserve.update { $0 = { for await _ in arrivals { break } } }
    let alone = await scene.enqueue()
    let others = [await scene.enqueue(), await scene.enqueue(), await scene.enqueue()]
    scene.store.beforeReserve.update { $0 = { others[0].cancel() } }
    arrive.yield()
    _ = try await alone.value
    await #expect(throws: CancellationError.self) { try await others[0].value }
    for task in others.dropFirst() { _ = try await task.value }
    #expect(scene.ledger.ledger?.accounts[.default]?.spent == 3)
  }

  @Test func unitsReservedForThoseWhoLeaveTheLineGoBack() async throws {
    let scene = GateScene(limit: 100)
    let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
    scene.store.beforeReserve.update { $0 = { for await _ in arrivals { break } } }
    let alone = await scene.enqueue()
    let others = [await scene.enqueue(), await scene.enqueue(), await scene.enqueue(), await scene.enqueue()]
    // The next reservation is for all four. One of them leaves meanwhile, and the rest while its unit goes back.
    scene.store.beforeReserve.update {
      $0 = {
        others[1].cancel()
        await scene.waitUntilWaiting(3)
      }
    }
    scene.store.beforeRefund.update {
      $0 = {
        for task in others { task.cancel() }
        while !Task.isCancelled, await scene.gate.state()[.default]?.waiting ?? 0 > 1 { await Task.yield() }
      }
    }
    arrive.yield()
    _ = try await alone.value
    var granted = 1
    for task in others where (try? await task.value) != nil { granted += 1 }
    #expect(scene.ledger.ledger?.accounts[.default]?.spent == granted)
  }
}
