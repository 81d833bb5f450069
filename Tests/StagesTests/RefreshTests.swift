import FoundationEssentials
import JSON
import Messages
import Pipeline
import Quota
import TestSupport
import Testing

@testable import Stages

@Suite("Refresh", .timeLimit(.minutes(1)))
struct RefreshTests {
  private func ids(_ range: Range<Int>) -> [String] { range.reversed().map { "v\($0)" } }

  @Test func onlyTheNewAndTheLookBackAreReadAndPublished() async throws {
    let scene = RefreshScene(1636)
    #expect(try await scene.list().records.count == 1636)
    scene.add("new3", "new2", "new1")
    let refresh = try await scene.refresh { $0.enrich = true }
    #expect(refresh.pages == 1)
    #expect(refresh.records == ["new3", "new2", "new1"] + ids(1611..<1636))
    #expect(refresh.ending["type"] == "completed")
    #expect(refresh.ending["truncatedBy"] == "since")
    #expect(refresh.ending["totals"] == ["pages": 1, "items": 28, "units": 2])
  }

  @Test func withoutAWatermarkTheWholeListIsRead() async throws {
    let scene = RefreshScene(120)
    let first = try await scene.refresh()
    #expect(first.records.count == 120 && first.pages == 3)
    #expect(first.ending["truncatedBy"] == nil)
    #expect(try await scene.watermark?.ids == Array(ids(0..<120).prefix(100)))
    #expect(try await scene.refresh().records == ids(95..<120))
  }

  @Test func theWatermarkStaysAsLongAndDeletedEntriesLeaveIt() async throws {
    let scene = RefreshScene(300)
    try await scene.list()
    scene.remove(["v290", "v291", "v240"])
    scene.add("new")
    try await scene.refresh()
    // One page was read, down to v249; what is below is known from before, also v240, which nobody has seen to be gone.
    let expected = ["new"] + ids(249..<300).filter { $0 != "v290" && $0 != "v291" } + ids(200..<249)
    #expect(try await scene.watermark?.ids == Array(expected.prefix(100)))
  }

  @Test(arguments: [0, 5, 25, 60]) func theLookBackIsCountedInKnownEntries(lookBack: Int) async throws {
    let scene = RefreshScene(300, RefreshPolicy(lookBack: lookBack))
    try await scene.list()
    let refresh = try await scene.refresh()
    #expect(refresh.records == ids(300 - lookBack..<300))
    #expect(refresh.pages == (lookBack > 50 ? 2 : 1))
    #expect(refresh.ending["truncatedBy"] == "since")
  }

  @Test func manyNewOnesAreFoundOverPages() async throws {
    let scene = RefreshScene(300)
    try await scene.list()
    for number in 0..<130 { scene.add("new\(number)") }
    let refresh = try await scene.refresh()
    #expect(refresh.records == (0..<130).reversed().map { "new\($0)" } + ids(275..<300))
    #expect(refresh.pages == 4)
    #expect(try await scene.refresh().records.count == 25)
  }

  @Test func aLatePublishedVideoBelowTheTopIsFound() async throws {
    let scene = RefreshScene(300)
    try await scene.list()
    scene.add("late", at: 20)
    scene.add("later", at: 45)
    let refresh = try await scene.refresh()
    #expect(refresh.pages == 1)
    #expect(Set(refresh.records) == Set(ids(275..<300) + ["late", "later"]), "what is read is looked at, also below the look-back")
  }

  @Test func aPlaceholderThatBecomesAVideoIsNew() async throws {
    let scene = RefreshScene(300)
    scene.change("v260", to: "private")
    scene.change("v261", to: "private")
    try await scene.list()
    scene.change("v260", to: "public")
    scene.change("v262", to: "private")
    let records = try await scene.refresh().records
    #expect(records.contains("v260"))
    #expect(!records.contains("v261") && !records.contains("v262"))
    #expect(try await !scene.refresh().records.contains("v260"))
  }

  @Test func aVideoThatMovesToTheTopHidesNothing() async throws {
    let scene = RefreshScene(300)
    try await scene.list()
    scene.remove(["v200"])
    for number in 0..<60 { scene.add("new\(number)") }
    scene.add("v299")
    #expect(Set(try await scene.refresh().records).isSuperset(of: (0..<60).map { "new\($0)" }))
  }

  @Test func whenAllKnownEntriesAreDeletedTheWholeListIsRead() async throws {
    let scene = RefreshScene(300)
    try await scene.list()
    scene.remove(Set(ids(200..<300)))
    let refresh = try await scene.refresh()
    #expect(refresh.records == ids(0..<200))
    #expect(refresh.ending["truncatedBy"] == nil)
    #expect(try await scene.refresh().records.count == 25)
  }

  @Test func aShortListIsReadToItsEnd() async throws {
    let scene = RefreshScene(10)
    try await scene.list()
    scene.remove(["v4"])
    let refresh = try await scene.refresh()
    #expect(refresh.records.count == 9)
    #expect(refresh.ending["truncatedBy"] == nil)
  }

  @Test func withoutSinceEverythingIsReadAtAnyTime() async throws {
    let scene = RefreshScene(120)
    try await scene.list()
    let first = try #require(try await scene.watermark)
    #expect(first.fullPassAt == first.startedAt)
    try await scene.refresh()
    #expect(try await scene.watermark?.fullPassAt == first.fullPassAt)
    #expect(try await scene.list().records.count == 120)
    #expect(try await scene.watermark?.fullPassAt ?? 0 > first.startedAt)
  }

  @Test func aFullPassIsDueByInterval() async throws {
    let scene = RefreshScene(120, RefreshPolicy(fullPassAfter: .seconds(86_400)))
    try await scene.list()
    #expect(try await scene.refresh().records.count == 25)
    scene.time.set(scene.time.now + 86_400_000)
    #expect(try await scene.refresh().records.count == 120)
    #expect(try await scene.refresh().records.count == 25)
  }

  @Test func whatMaxVideosLeftOutIsNotClaimed() async throws {
    let scene = RefreshScene(120)
    // Fifty end with a page: nothing of it is left out, but what is below is.
    for most in [50, 60] {
      try await scene.list { $0.maxVideos = most }
      #expect(try await scene.watermark == nil)
    }
    try await scene.list { $0.maxVideos = 120 }
    let known = try #require(try await scene.watermark)
    for number in 0..<70 { scene.add("new\(number)") }
    let cut = try await scene.refresh { $0.maxVideos = 60 }
    #expect(cut.ending["truncatedBy"] == "maxVideos")
    #expect(try await scene.watermark == known)
    // A look-back that is cut short leaves nothing new out.
    try await scene.refresh { $0.maxVideos = 80 }
    #expect(try await scene.watermark?.ids.first == "new69")
  }

  @Test func whatPublishedAfterLeftOutIsNotClaimed() async throws {
    let scene = RefreshScene(120)
    scene.uploads.withLock { entries in
      for index in entries.indices where index >= 30 { entries[index].date = "2020-01-01T00:00:00Z" }
    }
    let after = Date(timeIntervalSince1970: 1_700_000_000)
    let cut = try await scene.list { $0.publishedAfter = after }
    #expect(cut.records.count == 30)
    #expect(try await scene.watermark == nil)
    try await scene.list()
    scene.add("new")
    let refresh = try await scene.refresh { $0.publishedAfter = after }
    #expect(refresh.records.contains("new"))
    #expect(try await scene.watermark?.ids.first == "new", "what it left out was known")
  }

  @Test func aFewOldOnesThatPublishedAfterLeftOutAreNotClaimedEither() async throws {
    let scene = RefreshScene(40)
    scene.uploads.withLock { entries in for index in 30..<40 { entries[index].date = "2020-01-01T00:00:00Z" } }
    let cut = try await scene.list { $0.publishedAfter = Date(timeIntervalSince1970: 1_700_000_000) }
    #expect(cut.records.count == 30 && cut.ending["truncatedBy"] == nil)
    #expect(try await scene.watermark == nil)
  }

  @Test func otherPlaylistsAreReadWhole() async throws {
    let scene = RefreshScene(80)
    try await scene.list()
    var options = RequestOptions()
    options.since = "last"
    options.enrich = false
    let request = PlaylistRequest(listing: Listing(requestID: "p", source: .playlist, playlistID: "UUx", options: options))
    let pages = try await scene.pages(StageHarness.message(request))
    #expect(try await scene.deliver(pages).records.count == 80)
    #expect(pages.allSatisfy { !String(decoding: $0.value ?? [], as: UTF8.self).contains("startedAt") })
  }

  @Test func aChannelWithoutUploadsLeavesTheWatermarkAlone() async throws {
    let scene = RefreshScene(3)
    try await scene.list()
    let before = try await scene.watermark
    let harness = StageHarness(StageHarness.error(404, "playlistNotFound"))
    let stage = PlaylistsStage(client: harness.client, watermarks: Watermarks(store: scene.store), context: harness.context)
    let outputs = try await stage.handle(scene.message())
    #expect(try await scene.deliver(outputs.map(RefreshScene.received)).ending["type"] == "completed")
    #expect(try await scene.watermark == before)
  }
}
