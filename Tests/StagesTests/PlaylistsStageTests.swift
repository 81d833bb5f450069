import JSON
import Messages
import Pipeline
import TestSupport
import Testing

@testable import Stages

@Suite("PlaylistsStage", .timeLimit(.minutes(1)))
struct PlaylistsStageTests {
  private func request(
    source: ListingSource = .uploads, page: Int = 1, token: String? = nil, totals: Totals = Totals(),
    _ options: (inout RequestOptions) -> Void = { _ in }
  ) -> ReceivedMessage {
    var wanted = RequestOptions()
    options(&wanted)
    return StageHarness.message(
      PlaylistRequest(
        listing: Listing(
          requestID: "r", reference: "@Google", source: source, playlistID: "UUx", channelID: "UCx", totals: totals, options: wanted),
        pageToken: token, pageNumber: page))
  }

  private func handle(_ message: ReceivedMessage, _ steps: ScriptedTransport.Step...) async throws(StageFailure) -> [OutgoingMessage] {
    try await StageHarness(ScriptedTransport(steps)).playlists.handle(message)
  }

  @Test func aPageAsksForTheNextOne() async throws {
    let outputs = try await handle(request(totals: Totals(units: 1)), StageHarness.page(count: 50, token: "T2"))
    #expect(outputs.topics == [.playlistPages, .playlistRequests])
    #expect(outputs[0].json["last"] == false)
    #expect(outputs[0].json["items"]?.elements?.count == 50)
    #expect(outputs[1].json["pageToken"] == "T2")
    #expect(outputs[1].json["pageNumber"] == 2)
    for output in outputs { #expect(output.json["totals"] == ["pages": 1, "items": 50, "units": 2]) }
  }

  @Test func aPageThatTheAPIRefusesCostsItsUnit() async throws {
    let harness = StageHarness(StageHarness.error(400, "invalidPageToken"))
    let message = request(page: 2, token: "T2", totals: Totals(pages: 1, items: 50, units: 2))
    let rejection = try #require(await StageHarness.rejection(of: message, by: harness.playlists))
    let farewell = harness.playlists.farewell(to: message, because: rejection)
    #expect(farewell.events == ["failed"] && farewell[0].json["totals"] == ["pages": 1, "items": 50, "units": 3])
  }

  @Test func thirtyThreePagesCostSixtySevenUnits() async throws {
    let transport = ScriptedTransport(
      (0..<33).map { StageHarness.page(from: $0 * 50, count: $0 == 32 ? 36 : 50, token: $0 == 32 ? nil : "T\($0)") }
    ) {
      let ids = ($0.parameter("id") ?? "").split(separator: ",").map(String.init)
      return StageHarness.videoList(ids)
    }
    let harness = StageHarness(transport)
    var next: ReceivedMessage? = request(totals: Totals(units: 1))
    var pages: [OutgoingMessage] = []
    while let message = next {
      let outputs = try await harness.playlists.handle(message)
      pages += outputs.filter { $0.topic == .playlistPages }
      next = outputs.first { $0.topic == .playlistRequests }.map {
        StageHarness.message(.playlistRequests, String(decoding: $0.value ?? [], as: UTF8.self))
      }
    }
    #expect(pages.count == 33)
    var outputs: [OutgoingMessage] = []
    for page in pages {
      outputs += try await harness.videos.handle(StageHarness.message(.playlistPages, String(decoding: page.value ?? [], as: UTF8.self)))
    }
    #expect(outputs[.videoRecords].count == 1636)
    #expect(outputs.events.count { $0 == "page" } == 33)
    #expect(outputs.terminalEvents == ["completed"])
    #expect(outputs.last?.event == "completed")
    #expect(outputs.last?.json["totals"] == ["pages": 33, "items": 1636, "units": 67])
    #expect(transport.requests.count + 1 == 67)
  }

  @Test func anOddItemCostsOnlyItself() async throws {
    let outputs = try await handle(request(), StageHarness.page(count: 49, odd: true))
    #expect(outputs[0].json["items"]?.elements?.count == 49)
    #expect(outputs[0].json["totals"]?["items"] == 49)
  }

  @Test(arguments: [nil, ""]) func detailsWithoutUploadsGiveAnEmptyLastPageWithoutACall(playlistID: String?) async throws {
    var details = ChannelDetails(requestID: "r", reference: "@x", resolvedBy: .handle, channelID: "UCx", fetchedAt: "")
    details.uploadsPlaylistID = playlistID
    let outputs = try await handle(StageHarness.message(details))
    #expect(outputs.topics == [.playlistPages])
    #expect(outputs[0].json["last"] == true)
    #expect(outputs[0].json["items"] == [])
  }

  @Test func aChannelWithoutPublicUploadsHasAnEmptyListing() async throws {
    let message = request(source: .uploads, totals: Totals(units: 3))
    let outputs = try await handle(message, StageHarness.error(404, "playlistNotFound"))
    #expect(outputs.topics == [.playlistPages])
    #expect(outputs[0].json["last"] == true)
    let ended = try await StageHarness().videos.handle(
      StageHarness.message(.playlistPages, String(decoding: outputs[0].value ?? [], as: UTF8.self)))
    #expect(ended.events == ["completed"])
    #expect(ended[0].json["totals"]?["units"] == 4)
  }

  @Test(arguments: [ListingSource.uploads, .playlist])
  func aListThatVanishesBetweenTwoPagesIsNotComplete(source: ListingSource) async throws {
    let message = request(source: source, page: 3, token: "T", totals: Totals(pages: 2, items: 9, units: 3))
    let outputs = try await handle(message, StageHarness.error(404, "playlistNotFound"))
    #expect(outputs.events == ["failed"])
    #expect(outputs[0].json["error"]?["code"] == "playlistNotFound")
    #expect(outputs[0].json["totals"]?["items"] == 9)
  }

  // Two pages were listed, and the videos stage looks both of them up.
  // Going on would never end, and ending would pass a part of the list for the whole.
  @Test(arguments: [(3, "T"), (30, "A")]) func pagesThatGoInCirclesAreTriedAgain(page: Int, token: String) async {
    let harness = StageHarness(ScriptedTransport([StageHarness.page(count: 50, token: "T", total: 200)]))
    await #expect {
      try await harness.playlists.handle(request(page: page, token: token))
    } throws: { error in
      if case .retry? = error as? StageFailure { true } else { false }
    }
  }

  @Test func whatEndsEarlyCostsItsLookupsToo() async throws {
    var listing = Listing(
      requestID: "r", source: .uploads, playlistID: "UUx", totals: Totals(pages: 2, items: 100, units: 3), enrichments: 2)
    let request = StageHarness.message(PlaylistRequest(listing: listing, pageToken: "T", pageNumber: 3))
    let harness = StageHarness(ScriptedTransport([]))
    let failed = harness.playlists.farewell(to: request, because: Rejection(.attemptsExhausted, "x"))
    #expect(failed.map { $0.json["totals"] } == [["pages": 2, "items": 100, "units": 5]])
    listing.options.expiresAt = StageHarness.now
    let late = StageHarness.message(PlaylistRequest(listing: listing, pageToken: "T", pageNumber: 3))
    let expired = try await harness.playlists.handle(late)
    #expect(expired.events == ["expired"] && expired[0].json["totals"]?["units"] == 5)
  }

  @Test func aPlaylistThatIsNotThereIsNotFound() async throws {
    let outputs = try await handle(request(source: .playlist), StageHarness.error(404, "playlistNotFound"))
    #expect(outputs.events == ["notFound"])
    #expect(outputs[0].json["totals"]?["units"] == 1)
  }

  @Test(arguments: [(20, 20, "maxVideos", false), (50, 50, "maxVideos", false), (51, 50, nil, true)])
  func maxVideosCutsTheListing(most: Int, items: Int, cause: String?, goesOn: Bool) async throws {
    let outputs = try await handle(request { $0.maxVideos = most }, StageHarness.page(count: 50, token: "T2"))
    #expect(outputs[0].json["items"]?.elements?.count == items)
    #expect(outputs[0].json["truncatedBy"]?.string == cause)
    #expect(outputs.topics.contains(.playlistRequests) == goesOn)
  }

  @Test func maxVideosThatTheListJustReachesIsNoTruncation() async throws {
    let outputs = try await handle(request { $0.maxVideos = 50 }, StageHarness.page(count: 50, total: 50))
    #expect(outputs[0].json["truncatedBy"] == nil)
  }

  @Test func oldUploadsEndTheListingOnlyWhenManyComeInARow() async throws {
    let after = StageHarness.now.addingTimeInterval(-86_400)
    let old = try await handle(request { $0.publishedAfter = after }, StageHarness.page(count: 50, token: "T2"))
    #expect(old.topics == [.playlistPages])
    #expect(old[0].json["truncatedBy"] == "publishedAfter")
    #expect(old[0].json["items"] == [])
    let few = try await handle(request { $0.publishedAfter = after }, StageHarness.page(count: 24, token: "T2"))
    #expect(few.topics == [.playlistPages, .playlistRequests])
    let other = try await handle(request(source: .playlist) { $0.publishedAfter = after }, StageHarness.page(count: 50, token: "T2"))
    #expect(other.topics == [.playlistPages, .playlistRequests])
  }

  // The API's total ends at the ceiling as the list does, and what publishedAfter left out was read all the same.
  @Test(arguments: [
    (page: 400, before: 19_950, count: 50, total: 30_000, isTold: true), (400, 19_950, 50, 20_000, true), (400, 120, 50, 20_000, true),
    (400, 19_950, 49, 19_999, false), (33, 1600, 36, 1636, false),
  ])
  func theCeilingIsTold(page: Int, before: Int, count: Int, total: Int, isTold: Bool) async throws {
    let request = request(page: page, token: "T", totals: Totals(pages: page - 1, items: before))
    let outputs = try await handle(request, StageHarness.page(count: count, total: total))
    #expect(outputs[0].json["truncatedBy"] == (isTold ? "ceiling" : nil))
  }

  @Test func entriesThatADateLeavesOutCountTowardsTheCeiling() async throws {
    let after = StageHarness.now.addingTimeInterval(-86_400)
    var next: ReceivedMessage? = request(source: .playlist) { $0.publishedAfter = after }
    var pages: [JSONTree] = []
    while let message = next {
      let number = pages.count
      // Every second page is older than the date.
      let date = number.isMultiple(of: 2) ? "2020-01-01T00:00:00Z" : "2027-01-01T00:00:00Z"
      let answer = StageHarness.page(from: number * 50, count: 50, token: number == 99 ? nil : "T\(number)", total: 5000, date: date)
      let outputs = try await handle(message, answer)
      pages += outputs[.playlistPages]
      next = outputs.first { $0.topic == .playlistRequests }.map {
        StageHarness.message(.playlistRequests, String(decoding: $0.value ?? [], as: UTF8.self))
      }
    }
    #expect(pages.count == 100)
    #expect(pages.last?["totals"]?["items"] == 2500)
    #expect(pages.last?["truncatedBy"] == "ceiling")
  }

  @Test func anExpiredListingIsEndedOnce() async throws {
    let outputs = try await handle(request(page: 2, token: "T") { $0.expiresAt = StageHarness.now })
    #expect(outputs.terminalEvents == ["expired"])
  }

  @Test func tombstonesAreNoRequests() async throws {
    #expect(try await handle(StageHarness.message(.channelDetails, nil)).isEmpty)
    #expect(try await handle(StageHarness.message(.playlistRequests, nil)).isEmpty)
  }

  @Test(arguments: [
    "", "{", "7", "{}", #"{"requestId":"r"}"#, #"{"requestId":"r","playlistId":"UU","totals":{"pages":-1}}"#,
    #"{"requestId":"r","playlistId":"UU","totals":{"units":9223372036854775807}}"#, #"{"requestId":"r","playlistId":"UU","source":"x"}"#,
    #"{"requestId":"r","playlistId":"UU","options":{"maxVideos":0}}"#,
  ])
  func invalidMessagesAreDeadLetteredWithAFailedEventWhereTheRequestIsKnown(text: String) async {
    let stage = StageHarness().playlists
    let message = StageHarness.message(.playlistRequests, text)
    do {
      _ = try await stage.handle(message)
      Issue.record("accepted")
    } catch StageFailure.reject(let rejection) {
      #expect(rejection.code == .invalidMessage)
      #expect(stage.farewell(to: message, because: rejection).events == (text.contains("requestId") ? ["failed"] : []))
    } catch { Issue.record("\(error)") }
  }

  @Test func aRequestThatIsGivenUpFailsWithItsTotals() {
    let message = request(page: 3, token: "T", totals: Totals(pages: 2, items: 100, units: 5))
    let farewell = StageHarness().playlists.farewell(to: message, because: Rejection(.attemptsExhausted, "503"))
    #expect(farewell.terminalEvents == ["failed"])
    #expect(farewell[0].json["totals"] == ["pages": 2, "items": 100, "units": 5])
    #expect(farewell[0].json["error"] == ["code": "attemptsExhausted", "message": "503"])
  }

  @Test func theRetryTopicsDetailsAreStillDetails() async throws {
    var details = ChannelDetails(requestID: "r", reference: "@x", resolvedBy: .handle, channelID: "UCx", fetchedAt: "")
    details.uploadsPlaylistID = "UUx"
    let headers = [
      MessageHeader("tubeline-origin-topic", "p.channel-details"), MessageHeader("tubeline-origin-partition", "1"),
      MessageHeader("tubeline-origin-offset", "5"),
    ]
    let message = StageHarness.message(.retry(.playlists), String(decoding: details.bytes, as: UTF8.self), headers: headers)
    let outputs = try await handle(message, StageHarness.page(count: 1))
    #expect(outputs[0].json["source"] == "uploads")
    #expect(outputs[0].headers["ce_id"] == "p.channel-details-1-5/page/1")
  }
}
