import JSON
import Messages
import Pipeline
import TestSupport
import Testing
import YouTubeAPI

@testable import Stages

@Suite("SearchStage", .timeLimit(.minutes(1)))
struct SearchStageTests {
  private func run(_ members: String, _ steps: ScriptedTransport.Step...) async throws -> (outputs: [OutgoingMessage], calls: [HTTPRequest])
  {
    let harness = StageHarness(ScriptedTransport(steps))
    let outputs = try await SearchScene.run(SearchScene.request(members), harness)
    return (outputs, harness.transport.requests)
  }

  @Test func channelsBecomeRequestsOfTheirOwn() async throws {
    let hits = [SearchScene.hit("channel", "UCa"), SearchScene.hit("video", "v1"), SearchScene.hit("channel", "UCb")]
    let (outputs, calls) = try await run(#""type":["channel"],"maxVideos":9,"scope":"uploads""#, SearchScene.page(hits))
    #expect(outputs.topics == [.channelRequests, .channelRequests, .requestEvents, .requestEvents])
    let requests = outputs[.channelRequests]
    #expect(requests.map { $0["id"] } == ["UCa", "UCb"] && requests.map { $0["requestId"] } == ["r/UCa", "r/UCb"])
    #expect(requests.allSatisfy { $0["maxVideos"] == 9 })
    #expect(outputs.map { $0.key.map { String(decoding: $0, as: UTF8.self) } }.prefix(2) == ["UCa", "UCb"])
    for output in outputs.prefix(2) { #expect(try ChannelRequest(value: output.value).options.scope == .uploads) }
    #expect(outputs.events == ["resolved", "completed"])
    #expect(outputs[2].json["results"]?.elements?.map { $0["position"] } == [0, 1])
    #expect(outputs[3].json["totals"] == ["pages": 1, "items": 0, "units": 0, "searches": 1])
    #expect(outputs[3].json["found"] == ["channels": 2, "videos": 0, "playlists": 0])
    #expect(calls.map { $0.parameter("type") } == ["channel"] && calls.first?.parameter("q") == "swift kafka")
  }

  @Test func withoutAScopeOnlyDetailsOfChannelsAreWanted() async throws {
    let outputs = try await run(
      #""type":["channel","playlist"]"#, SearchScene.page([SearchScene.hit("channel", "UCa"), SearchScene.hit("playlist", "PLa")])
    ).outputs
    let requests = try outputs.filter { $0.topic == .channelRequests }.map { try ChannelRequest(value: $0.value) }
    #expect(requests.map(\.target) == [.id("UCa"), .playlist("PLa")])
    #expect(requests.map(\.options.scope) == [.details, .uploads], "a playlist is walked")
  }

  @Test func videosBecomePagesInSearchOrder() async throws {
    let first = SearchScene.page(SearchScene.videos(0..<50), token: "T2")
    let (outputs, calls) = try await run(
      #""type":["video"],"maxResults":80"#, first, SearchScene.page(SearchScene.videos(45..<95), token: "T3"))
    let pages = outputs.filter { $0.topic == .playlistPages }
    #expect(pages.map { $0.json["items"]?.elements?.count } == [50, 30], "a video that stands on two pages counts once")
    #expect(pages.flatMap { $0.json["items"]?.elements ?? [] }.map { $0["position"]?.int } == Array(0..<80))
    #expect(pages.map { $0.json["last"] } == [false, true] && pages.map { $0.json["pageNumber"] } == [1, 2])
    #expect(pages.map { $0.key } == [Array("r".utf8), Array("r".utf8)], "pages of a search share a partition")
    #expect(pages[1].json["truncatedBy"] == "maxResults")
    #expect(pages[1].json["totals"] == ["pages": 2, "items": 80, "units": 0, "searches": 2] && pages[1].json["enrichments"] == 2)
    let item = try #require(pages[0].json["items"]?.elements?.first)
    #expect(item["channelTitle"] == "C & D" && item["description"] == "d <'>" && item["availability"] == "public")
    #expect(calls.map { $0.parameter("pageToken") } == [nil, "T2"] && calls.allSatisfy { $0.parameter("maxResults") == "50" })
    #expect(outputs.terminalEvents.isEmpty, "the videos stage ends it")
  }

  @Test func theVideosStageEndsASearchWithWhatItFound() async throws {
    let hits = [SearchScene.hit("channel", "UCa"), SearchScene.hit("playlist", "PLa"), SearchScene.hit("video", "v1")]
    let harness = StageHarness(ScriptedTransport([SearchScene.page(hits), StageHarness.videoList(["v1"])]))
    let outputs = try await SearchScene.run(SearchScene.request(#""type":["video","channel","playlist"]"#), harness)
    let page = try #require(outputs.first { $0.topic == .playlistPages })
    let ending = try await harness.videos.handle(SearchScene.received(page))
    let record = try #require(ending[.videoRecords].first)
    #expect(record["position"] == 2 && record["source"] == "search" && record["title"] == "Full v1" && record["requestId"] == "r")
    #expect((outputs + ending).terminalEvents == ["completed"])
    let completed = try #require(ending.last?.json)
    #expect(completed["totals"] == ["pages": 1, "items": 1, "units": 1, "searches": 1])
    #expect(completed["found"] == ["channels": 1, "videos": 1, "playlists": 1])
    #expect(completed["reference"] == "swift kafka" && completed["playlistId"] == nil)
  }

  @Test(arguments: [#""type":["video"]"#, #""type":["channel"]"#, #""type":["playlist","channel","video"]"#])
  func aSearchWithoutResultsIsCompletedOnce(members: String) async throws {
    let harness = StageHarness(ScriptedTransport([SearchScene.page([])]))
    var outputs = try await SearchScene.run(SearchScene.request(members), harness)
    for page in outputs where page.topic == .playlistPages { outputs += try await harness.videos.handle(SearchScene.received(page)) }
    #expect(outputs.terminalEvents == ["completed"])
    #expect(outputs.last?.json["totals"] == ["pages": 1, "items": 0, "units": 0, "searches": 1])
    #expect(harness.transport.requests.count == 1, "nothing is looked up")
  }

  @Test func emptyAndShortPagesWithATokenAreFollowed() async throws {
    let (outputs, calls) = try await run(
      #""type":["video"],"maxResults":100"#, SearchScene.page(SearchScene.videos(0..<3), token: "A"), SearchScene.page([], token: "B"),
      SearchScene.page(SearchScene.videos(3..<5)))
    #expect(calls.count == 3)
    let pages = outputs[.playlistPages]
    #expect(pages.map { $0["items"]?.elements?.count } == [3, 2], "an empty page is no message unless it is the last")
    #expect(pages.last?["totals"] == ["pages": 3, "items": 5, "units": 0, "searches": 3] && pages.last?["truncatedBy"] == nil)
  }

  @Test func pagesWithoutAnythingNewEndASearch() async throws {
    let (outputs, calls) = try await run(
      #""type":["video"],"maxResults":100"#, SearchScene.page(SearchScene.videos(0..<3), token: "A"),
      SearchScene.page(SearchScene.videos(0..<3), token: "B"), SearchScene.page([SearchScene.hit("channel", "UCx")], token: "C"),
      SearchScene.page([], token: "D"))
    #expect(calls.count == 4)
    #expect(outputs[.playlistPages].last?["last"] == true && outputs[.playlistPages].last?["items"] == [])
  }

  @Test func aTokenThatLeadsToItselfEndsASearch() async throws {
    let calls = try await run(
      #""type":["video"],"maxResults":200"#, SearchScene.page(SearchScene.videos(0..<3), token: "A"),
      SearchScene.page(SearchScene.videos(3..<6), token: "A")
    ).calls
    #expect(calls.count == 2)
  }

  @Test func theCeilingOfAChannelIsTold() async throws {
    let transport = ScriptedTransport(
      (0..<10).map { SearchScene.page(SearchScene.videos($0 * 50..<$0 * 50 + 50), token: "T\($0)") })
    let outputs = try await SearchScene.run(
      SearchScene.request(#""type":["video"],"maxResults":500,"channelId":"UCK8sQmJBp8GCxrOtXWBpyEA""#), StageHarness(transport))
    #expect(transport.requests.count == 10, "the token behind the five hundredth video is not worth a search")
    #expect(transport.requests.allSatisfy { $0.parameter("channelId") == "UCK8sQmJBp8GCxrOtXWBpyEA" })
    #expect(outputs[.playlistPages].last?["truncatedBy"] == "ceiling")
  }

  @Test func allParametersReachTheAPI() async throws {
    let parameters = [
      "order": "date", "regionCode": "CH", "relevanceLanguage": "de", "safeSearch": "strict", "videoDuration": "short", "videoType": "any",
      "location": "47,8", "locationRadius": "5km", "eventType": "live", "videoEmbeddable": "true",
    ]
    let members = parameters.map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
    let calls = try await run(
      #""type":["video"],"publishedAfter":"2026-01-01T00:00:00Z","publishedBefore":"2026-02-01T00:00:00Z",\#(members)"#,
      SearchScene.page([])
    ).calls
    let call = try #require(calls.first)
    for (name, value) in parameters { #expect(call.parameter(name) == value) }
    #expect(
      call.parameter("publishedAfter") == "2026-01-01T00:00:00.000Z" && call.parameter("publishedBefore") == "2026-02-01T00:00:00.000Z")
  }

  @Test func aRequestThatCannotBeUsedCostsNothing() async throws {
    let harness = StageHarness(ScriptedTransport([]))
    let message = SearchScene.request(#""type":["channel"],"videoDuration":"short""#)
    let rejection = try #require(await StageHarness.rejection(of: message, by: harness.search))
    #expect(rejection.code == .invalidRequest && rejection.requestID == "r")
    let farewell = harness.search.farewell(to: message, because: rejection)
    #expect(farewell.events == ["rejected"] && farewell[0].json["requestId"] == "r")
    #expect(farewell[0].json["error"]?["code"] == "invalidRequest")
    #expect(harness.transport.requests.isEmpty && harness.gate.record.admitted.isEmpty)
    let nobody = harness.search.farewell(to: StageHarness.message(.searchRequests, "{x"), because: Rejection(.invalidJSON, "x"))
    #expect(nobody.map { $0.json["requestId"] } == ["p.search-requests-2-7"])
  }

  @Test func whatTheAPIRefusesIsRejectedAtFirstAndFailsLater() async throws {
    let refused = StageHarness.error(400, "invalidSearchFilter")
    let harness = StageHarness(
      ScriptedTransport([refused, SearchScene.page(SearchScene.videos(0..<50), token: "T"), StageHarness.error(400, "invalidPageToken")]))
    let request = SearchScene.request(#""type":["video"],"maxResults":100"#)
    let refusal = try #require(await StageHarness.rejection(of: request, by: harness.search))
    let rejected = harness.search.farewell(to: request, because: refusal)
    #expect(rejected.events == ["rejected"])
    #expect(rejected[0].json["totals"] == ["pages": 0, "items": 0, "units": 0, "searches": 1])
    let first = try await harness.search.handle(request)
    let next = SearchScene.received(try #require(first.first { $0.topic == .searchContinuations }))
    #expect(await farewell(to: next, harness) == ["failed"])
  }

  private func farewell(to message: ReceivedMessage, _ harness: StageHarness) async -> [String] {
    await StageHarness.rejection(of: message, by: harness.search).map { harness.search.farewell(to: message, because: $0).events } ?? []
  }

  @Test func aContinuationThatIsGivenUpFailsWithItsCounts() async throws {
    let harness = StageHarness(SearchScene.page(SearchScene.videos(0..<50), token: "T"))
    let outputs = try await harness.search.handle(SearchScene.request(#""type":["video"],"maxResults":100"#))
    let next = SearchScene.received(try #require(outputs.first { $0.topic == .searchContinuations }))
    let farewell = harness.search.farewell(to: next, because: Rejection(.attemptsExhausted, "x"))
    #expect(farewell.events == ["failed"] && farewell[0].json["totals"] == ["pages": 1, "items": 50, "units": 1, "searches": 1])
    #expect(farewell[0].json["found"]?["videos"] == 50)
  }
}
