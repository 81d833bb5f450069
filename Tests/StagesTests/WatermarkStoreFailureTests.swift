import JSON
import Messages
import Pipeline
import Quota
import TestSupport
import Testing

@testable import Stages

/// A store that is away, or refuses: it must be noticed before a unit is spent.
@Suite("Trouble with the store of watermarks", .timeLimit(.minutes(1)))
struct WatermarkStoreFailureTests {
  private static func failure(_ stage: PlaylistsStage, _ message: ReceivedMessage) async -> StageFailure? {
    do throws(StageFailure) { _ = try await stage.handle(message) } catch { return error }
    return nil
  }

  private static func lastPage(_ scene: RefreshScene) async throws -> PlaylistPage {
    let value = try await scene.pages(scene.message()).last?.value
    return try PlaylistPage(json: JSONDocument.parse(try #require(value)).root)
  }

  @Test func aConnectionThatWasIdleIsAskedAgainAtOnce() async throws {
    let scene = RefreshScene(120)
    try await scene.list()
    scene.store.failNext(.unreachable)
    #expect(try await scene.refresh().records.count == 25)
    #expect(scene.clock.sleepers == 0)
  }

  @Test(arguments: [QuotaStoreError.Code.refused, .foreignValue, .closed])
  func aRefreshWithoutItsWatermarkCostsNothing(code: QuotaStoreError.Code) async throws {
    let scene = RefreshScene(120)
    scene.store.failNext(code)
    let failure = await Self.failure(scene.playlists, scene.message())
    switch (code, failure) {
    case (.refused, .stop?), (.closed, .cancelled?): break
    case (.foreignValue, .reject(let rejection)?):
      #expect(rejection.code == .attemptsExhausted && rejection.message.contains("replay this letter"))
    default: Issue.record("\(String(describing: failure))")
    }
    #expect(scene.calls.withLock { $0 } == 0)
  }

  @Test func aStoreThatIsAwayIsWaitedForWithoutACall() async throws {
    let scene = RefreshScene(120)
    try await scene.list()
    let before = scene.calls.withLock { $0 }
    scene.store.failNext(.unreachable, .unreachable, .unreachable, .unreachable)
    let (stage, message) = (scene.playlists, scene.message())
    async let outputs = stage.handle(message)
    for _ in 0..<3 {
      await scene.clock.waitUntilSleepers(1)
      #expect(scene.calls.withLock { $0 } == before)
      scene.clock.advance(by: .seconds(30))
    }
    #expect(try await outputs[.playlistPages].count == 1)
    #expect(scene.calls.withLock { $0 } == before + 1)
  }

  @Test func aShutdownEndsTheWait() async throws {
    let scene = RefreshScene(120)
    let watermarks = scene.watermarks
    let stage = PlaylistsStage(client: scene.harness.client, watermarks: watermarks, context: scene.harness.context)
    scene.store.failNext(.unreachable, .unreachable)
    let message = scene.message()
    async let failure = Self.failure(stage, message)
    await scene.clock.waitUntilSleepers(1)
    #expect(watermarks.waiting == 1)
    watermarks.stopWaiting()
    #expect(await failure == .cancelled)
    // No wait is begun any more.
    scene.store.failNext(.unreachable, .unreachable)
    #expect(await Self.failure(stage, message) == .cancelled)
    #expect(watermarks.waiting == 0 && scene.calls.withLock { $0 } == 0)
  }

  @Test func aRequestThatIsCancelledWaitsNoLonger() async throws {
    let scene = RefreshScene(120)
    let harness = scene.harness
    scene.store.failNext(.unreachable, .unreachable)
    let stage = PlaylistsStage(client: harness.client, watermarks: scene.watermarks, context: harness.context)
    let message = scene.message()
    async let outputs = stage.handle(message)
    await scene.clock.waitUntilSleepers(1)
    harness.cancelled.insert("r1")
    #expect(try await outputs.events == ["cancelled"])
    #expect(scene.calls.withLock { $0 } == 0)
  }

  @Test func aStoreThatHangsHoldsUpNeitherACancellationNorAShutdown() async throws {
    let scene = RefreshScene(120)
    let (harness, watermarks, gate) = (scene.harness, scene.watermarks, Gate())
    scene.store.hanging.withLock { $0 = gate }
    let stage = PlaylistsStage(client: harness.client, watermarks: watermarks, context: harness.context)
    let message = scene.message()
    async let outputs = stage.handle(message)
    await scene.store.asked.wait(forCount: 1)
    harness.cancelled.insert("r1")
    #expect(try await outputs.events == ["cancelled"])
    let other = scene.message()
    async let failure = Self.failure(stage, other)
    await scene.store.asked.wait(forCount: 2)
    watermarks.stopWaiting()
    #expect(await failure == .cancelled)
    #expect(scene.calls.withLock { $0 } == 0)
    gate.open()
  }

  @Test func aShutdownTellsAStoreThatIsAwayOnce() async throws {
    let scene = RefreshScene(50)
    let last = try await Self.lastPage(scene)
    let watermarks = scene.watermarks
    watermarks.stopWaiting()
    let before = scene.store.asked.events.count { $0 == "advance" }
    // At once, and again, as for a connection that was idle.
    scene.store.failNext(.unreachable, .unreachable)
    for _ in 0..<5 { await watermarks.completed(last) }
    #expect(scene.store.asked.events.count { $0 == "advance" } == before + 2)
    // That a page was left out is not dispensable: without it a later listing would count its videos as known.
    scene.store.failNext(.unreachable, .unreachable)
    await watermarks.leftOut(last)
    #expect(scene.store.asked.events.suffix(2) == ["bar", "bar"])
  }

  @Test func aPageThatWasLeftOutIsToldWhenTheStoreAnswersAgain() async throws {
    let scene = RefreshScene(50)
    let last = try await Self.lastPage(scene)
    let watermarks = scene.watermarks
    scene.store.failNext(.unreachable, .unreachable)
    await watermarks.leftOut(last)
    // The store answers, but does not know it yet.
    await watermarks.completed(last)
    #expect(try await scene.watermark == nil)
    scene.store.failNext(.unreachable)
    for _ in 0..<2 {
      await scene.clock.waitUntilSleepers(1)
      scene.clock.advance(by: .seconds(5))
    }
    await scene.store.asked.wait { $0.count { $0 == "bar" } == 4 }
    // Another worker, which knows of nothing, completes the listing.
    await watermarks.close()
    await scene.watermarks.completed(last)
    #expect(try await scene.watermark == nil)
    try await scene.refresh()
    #expect(try await scene.watermark != nil)
  }

  @Test func aPageThatWasLeftOutIsToldAtTheEnd() async throws {
    let scene = RefreshScene(50)
    let last = try await Self.lastPage(scene)
    let watermarks = scene.watermarks
    scene.store.failNext(.unreachable, .unreachable)
    await watermarks.leftOut(last)
    await watermarks.close()
    await scene.watermarks.completed(last)
    #expect(try await scene.watermark == nil)
  }

  @Test(arguments: [QuotaStoreError.Code.unreachable, .refused, .foreignValue])
  func otherListingsGoOnWithoutTheStore(code: QuotaStoreError.Code) async throws {
    let scene = RefreshScene(120)
    scene.store.failNext(code, code)
    #expect(try await scene.list().records.count == 120)
    #expect(scene.clock.sleepers == 0)
  }
}
