import JSON
import Messages
import Pipeline
import Quota
import TestSupport
import Testing

@testable import Stages

@Suite("Watermarks", .timeLimit(.minutes(1)))
struct WatermarkTests {
  @Test func aWatermarkMovesOnlyWhenTheLastRecordsAreDelivered() async throws {
    let scene = RefreshScene(120)
    let pages = try await scene.pages(scene.message())
    let stage = scene.videos
    for page in pages { _ = try await stage.handle(page) }
    #expect(try await scene.watermark == nil)
    _ = try await scene.deliver(Array(pages.dropLast()))
    #expect(try await scene.watermark == nil)
    _ = try await scene.deliver(Array(pages.suffix(1)))
    #expect(try await scene.watermark?.ids.first == "v119")
  }

  @Test func eachPageDecidesTheSameAfterARedelivery() async throws {
    let scene = RefreshScene(300)
    try await scene.list()
    for number in 0..<60 { scene.add("new\(number)") }
    let first = try await scene.playlists.handle(scene.message())
    let second = RefreshScene.received(try #require(first.last))
    let before = try await scene.playlists.handle(second)
    // Another request completes meanwhile.
    try await scene.refresh()
    let after = try await scene.playlists.handle(second)
    #expect(before.map(\.value) == after.map(\.value))
    #expect(before.map { $0.headers["ce_id"] } == after.map { $0.headers["ce_id"] })
    #expect(before[.playlistPages].first?["truncatedBy"] == "since")
  }

  @Test func theSettingOfAnotherWorkerChangesNothingOfARefreshUnderWay() async throws {
    let scene = RefreshScene(300, RefreshPolicy(lookBack: 60))
    try await scene.list()
    let request = RefreshScene.received(try #require(try await scene.playlists.handle(scene.message()).last))
    let other = PlaylistsStage(
      client: scene.harness.client, watermarks: Watermarks(store: scene.store, policy: RefreshPolicy(lookBack: 200)),
      context: scene.harness.context)
    #expect(try await other.handle(request).map(\.value) == scene.playlists.handle(request).map(\.value))
  }

  @Test func aRequestThatIsRedeliveredMovesItOnce() async throws {
    let scene = RefreshScene(60)
    let pages = try await scene.pages(scene.message())
    _ = try await scene.deliver(pages)
    let before = try await scene.watermark
    scene.time.set(scene.time.now + 5000)
    _ = try await scene.deliver(pages)
    #expect(try await scene.watermark == before)
  }

  @Test func anOlderRequestThatCompletesLaterDoesNotMoveItBack() async throws {
    let scene = RefreshScene(60)
    let older = try await scene.pages(scene.message())
    scene.add("new")
    try await scene.refresh()
    let newer = try #require(try await scene.watermark)
    _ = try await scene.deliver(older)
    #expect(try await scene.watermark?.ids == newer.ids)
    #expect(try await scene.watermark?.startedAt == newer.startedAt)
  }

  @Test func aCrashBeforeTheStepOnlyMakesTheNextRefreshLonger() async throws {
    let scene = RefreshScene(120)
    try await scene.list()
    scene.add("new1")
    let stage = scene.videos
    for page in try await scene.pages(scene.message()) { _ = try await stage.handle(page) }
    scene.add("new2")
    #expect(try await scene.refresh().records.prefix(2) == ["new2", "new1"])
  }

  @Test(arguments: [0, 1, 2]) func aPageThatWasGivenUpIsNotClaimed(page: Int) async throws {
    let scene = RefreshScene(120)
    let pages = try await scene.pages(scene.message())
    for (index, message) in pages.enumerated() {
      if index == page { await scene.giveUp(message) } else { _ = try await scene.deliver([message]) }
    }
    #expect(try await scene.watermark == nil)
    // The operator's replay of the dead letter is delivered, but the listing as a whole is still not claimed.
    _ = try await scene.deliver([pages[page]])
    #expect(try await scene.watermark == nil)
    try await scene.refresh()
    #expect(try await scene.watermark != nil)
  }

  @Test func anExpiredOrSingleVideosPageMovesNothing() async throws {
    let scene = RefreshScene(10)
    let late = try await scene.pages(scene.message { $0.expiresAt = StageHarness.now.addingTimeInterval(1) })
    let stage = VideosStage(
      client: scene.harness.client, watermarks: Watermarks(store: scene.store),
      context: StageContext(now: { StageHarness.now.addingTimeInterval(2) }))
    let outputs = try await stage.handle(late[0])
    #expect(outputs.events == ["expired"])
    await stage.delivered(late[0], outputs)
    #expect(try await scene.watermark == nil)
    await scene.videos.delivered(StageHarness.message(.playlistPages, nil), [])
    await scene.videos.delivered(StageHarness.message(.playlistPages, "{"), outputs)
  }

  // The last page may be handled by a worker that does not know yet that the request was cancelled.
  @Test func aPageThatACancellationLeftOutIsNotClaimed() async throws {
    let scene = RefreshScene(120)
    let pages = try await scene.pages(scene.message())
    let cancelled = CancelledRequests()
    cancelled.insert("r1")
    let informed = VideosStage(
      client: scene.harness.client, watermarks: Watermarks(store: scene.store), context: StageContext(cancelled: cancelled))
    _ = try await scene.deliver([pages[0]])
    #expect(try await informed.handle(pages[1]).isEmpty)
    #expect(try await scene.deliver([pages[2]]).ending["type"] == "completed")
    #expect(try await scene.watermark == nil)
  }

  // Passed over as a repetition: it leads to nothing, and says nothing about the records.
  @Test func aRepetitionMovesNothing() async throws {
    let scene = RefreshScene(10)
    let pages = try await scene.pages(scene.message())
    await scene.videos.delivered(pages[0], [])
    #expect(try await scene.watermark == nil)
    _ = try await scene.deliver(pages)
    #expect(try await scene.watermark != nil)
  }

  @Test func aStepThatFailsIsTriedTwice() async throws {
    let scene = RefreshScene(10)
    let pages = try await scene.pages(scene.message())
    scene.store.failNext(.unreachable)
    _ = try await scene.deliver(pages)
    #expect(try await scene.watermark != nil)
    let again = try await scene.pages(scene.message())
    let before = try await scene.watermark
    scene.store.failNext(.unreachable, .unreachable)
    _ = try await scene.deliver(again)
    #expect(try await scene.watermark == before)
  }

  @Test(arguments: [
    #""startedAt":"today""#, #""startedAt":7"#, #""newest":[]"#, #""newest":{"ids":"a"}"#, #""newest":{"ids":[7]}"#, #""refresh":{}"#,
    #""refresh":{"known":{"ids":["a"]},"lookBack":-1}"#, #""refresh":{"known":{"unavailable":{}}}"#,
    #""refresh":{"known":{"ids":[]},"met":9223372036854775807}"#,
  ])
  func unusableFieldsOfAListingAreRejected(fields: String) async {
    let text = #"{"requestId":"r","playlistId":"UUx","pageNumber":2,\#(fields)}"#
    do {
      _ = try await RefreshScene(1).playlists.handle(StageHarness.message(.playlistRequests, text))
      Issue.record("accepted")
    } catch StageFailure.reject(let rejection) { #expect(rejection.code == .invalidMessage) } catch { Issue.record("\(error)") }
  }
}
