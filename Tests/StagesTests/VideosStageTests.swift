import JSON
import Messages
import Pipeline
import TestSupport
import Testing

@testable import Stages

@Suite("VideosStage", .timeLimit(.minutes(1)))
struct VideosStageTests {
  private func page(
    _ items: [PlaylistPage.Item], source: ListingSource = .uploads, last: Bool = true, enrich: Bool = true, expired: Bool = false,
    enrichments: Int? = nil
  ) -> ReceivedMessage {
    var options = RequestOptions()
    options.enrich = enrich
    if expired { options.expiresAt = StageHarness.now }
    let listing = Listing(
      requestID: "r", source: source, playlistID: "UUx", channelID: "UCx", totals: Totals(pages: 1, items: items.count, units: 2),
      enrichments: enrichments ?? (enrich ? 1 : 0), options: options)
    return StageHarness.message(PlaylistPage(listing: listing, pageNumber: 1, items: items, last: last))
  }

  private func item(_ id: String, _ availability: Messages.Availability = .public) -> PlaylistPage.Item {
    var item = PlaylistPage.Item(videoID: id, availability: availability)
    item.title = "Listed \(id)"
    item.thumbnails = ThumbnailSet([ThumbnailSet.Picture(name: "default", url: "u", width: 1, height: 1)])
    return item
  }

  private func handle(_ message: ReceivedMessage, _ steps: ScriptedTransport.Step...) async throws(StageFailure) -> [OutgoingMessage] {
    try await StageHarness(ScriptedTransport(steps)).videos.handle(message)
  }

  @Test func recordsPageEventAndEndComeInThisOrder() async throws {
    let outputs = try await handle(page([item("a"), item("b")]), StageHarness.videoList(["b", "a"]))
    #expect(outputs.topics == [.videoRecords, .videoRecords, .requestEvents, .requestEvents])
    #expect(outputs.events == ["page", "completed"])
    #expect(outputs[0].json["videoId"] == "a")
    #expect(outputs[0].json["title"] == "Full a")
    #expect(outputs[0].json["durationSeconds"] == 63)
    #expect(outputs[0].json["statistics"] == ["viewCount": 5])
    #expect(outputs[3].json["totals"]?["units"] == 3)
    #expect(outputs[2].json["totals"] == ["pages": 1, "items": 2, "units": 3], "a page tells how far the listing is")
  }

  @Test func aMissingVideoIsUnknownAndCountsAsUnavailable() async throws {
    let outputs = try await handle(page([item("a"), item("gone")], last: false), StageHarness.videoList(["a"]))
    #expect(outputs[.videoRecords].map { $0["availability"]?.string } == ["public", "unknown"])
    #expect(outputs[2].json["records"] == 2)
    #expect(outputs[2].json["available"] == 1)
    #expect(outputs[2].json["unavailable"] == 1)
    #expect(outputs.terminalEvents.isEmpty)
  }

  @Test(arguments: [Messages.Availability.private, .deleted])
  func placeholdersHaveNeitherTitleNorThumbnailsAndCostNoCall(availability: Messages.Availability) async throws {
    let outputs = try await handle(page([item("x", availability)]))
    let record = outputs[0].json
    #expect(record["availability"] == .string(availability.rawValue))
    for key in ["title", "thumbnail", "thumbnails", "description"] { #expect(record[key] == nil) }
  }

  @Test func aVideoThatBecamePrivateLosesItsTitle() async throws {
    let outputs = try await handle(page([item("a")]), StageHarness.videoList(["a"], status: "private"))
    #expect(outputs[0].json["availability"] == "private")
    #expect(outputs[0].json["title"] == nil)
  }

  @Test func withoutEnrichmentThereIsNoCallAndNoField() async throws {
    let outputs = try await handle(page([item("a")], enrich: false))
    #expect(outputs[0].json["title"] == "Listed a")
    #expect(outputs[0].json["duration"] == nil)
    #expect(outputs[0].json["statistics"] == nil)
    #expect(outputs.last?.json["totals"]?["units"] == 2)
  }

  @Test func anUnknownSingleVideoIsNotFound() async throws {
    let outputs = try await handle(page([PlaylistPage.Item(videoID: "x")], source: .video), StageHarness.videoList([]))
    #expect(outputs.events == ["notFound"])
  }

  @Test func doubledEntriesAreAskedForOnce() async throws {
    let harness = StageHarness(StageHarness.videoList(["a"]))
    let outputs = try await harness.videos.handle(page([item("a"), item("a")]))
    #expect(outputs[.videoRecords].count == 2)
    #expect(harness.transport.requests.first?.parameter("id") == "a")
  }

  // Others may publish pages too: what such a page's look-ups cost is counted, whatever it says itself.
  @Test(arguments: [(50, 1, 3), (51, 1, 4), (120, 1, 5), (120, 0, 5), (120, 7, 11), (0, 0, 2)])
  func everyCallForTheLastPageIsAUnit(items: Int, enrichments: Int, units: Int) async throws {
    let transport = ScriptedTransport([]) { request in
      StageHarness.videoList((request.parameter("id") ?? "").split(separator: ",").map(String.init))
    }
    let message = page((0..<items).map { item("v\($0)") }, enrichments: enrichments)
    let outputs = try await StageHarness(transport).videos.handle(message)
    #expect(outputs[.videoRecords].count == items)
    #expect(outputs.last?.json["totals"]?["units"] == .int(units))
    #expect(transport.requests.count == (items + 49) / 50)
  }

  @Test func anExpiredRequestEndsWithItsLastPage() async throws {
    #expect(try await handle(page([item("a")], last: false, expired: true)).isEmpty)
    #expect(try await handle(page([item("a")], expired: true)).events == ["expired"])
  }

  @Test func aPageThatIsGivenUpSaysSoAndStillEndsTheRequest() {
    let stage = StageHarness().videos
    let why = Rejection(.attemptsExhausted, "503")
    #expect(stage.farewell(to: page([item("a")], last: false), because: why).events == ["pageFailed"])
    #expect(stage.farewell(to: page([item("a")]), because: why).events == ["pageFailed", "completed"])
  }

  @Test(arguments: [nil, "", "{", "[]", #"{"requestId":"r"}"#, #"{"requestId":"r","items":[{}]}"#, #"{"requestId":"r","items":[7]}"#])
  func whatIsNoPageIsRejectedButATombstoneIsNothing(text: String?) async throws {
    let message = StageHarness.message(.playlistPages, text)
    guard text != nil else {
      #expect(try await handle(message).isEmpty)
      return
    }
    do {
      _ = try await handle(message)
      Issue.record("accepted")
    } catch StageFailure.reject(let rejection) { #expect(rejection.code == .invalidMessage) }
  }

  @Test func serverErrorsAreRetriedAndAWrongKeyStops() async {
    let trouble = StageHarness.error(503, "backendError")
    await #expect(throws: StageFailure.self) { try await handle(page([item("a")]), trouble, trouble, trouble) }
    do {
      _ = try await handle(page([item("a")]), StageHarness.error(400, "keyInvalid"))
      Issue.record("went on")
    } catch StageFailure.stop { return } catch { Issue.record("\(error)") }
  }

  @Test func theTableOfTheFlowMatchesTheStages() {
    let harness = StageHarness()
    let stages: [any Stage] = [harness.search, harness.channels, harness.playlists, harness.videos]
    for stage in stages {
      #expect(StageOrder.row(stage.name)?.inputs == stage.inputs)
      #expect(StageOrder.row(stage.name)?.retriesInPlace == stage.retriesInPlace)
    }
    #expect(StageOrder.row(.videos)?.retriesInPlace == true)
  }
}
