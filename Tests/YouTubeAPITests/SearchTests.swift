import TestSupport
import Testing
import YouTubeAPI

@Suite("search.list", .timeLimit(.minutes(1)))
struct SearchTests {
  private func client(_ transport: ScriptedTransport, _ gate: RecordingCallGate = RecordingCallGate()) -> YouTubeClient {
    YouTubeClient(
      configuration: ClientConfiguration(apiKey: Secret("key")), transport: transport, gate: gate, retry: ImmediateCallRetry())
  }

  private func page(_ text: String, _ query: SearchQuery = SearchQuery(text: "swift")) async throws -> SearchPage {
    try await client(ScriptedTransport([.json(text)])).search(query)
  }

  @Test func onlyWhatIsSetIsSent() async throws {
    let transport = ScriptedTransport([.json(#"{"items":[]}"#), .json(#"{"items":[]}"#)])
    let gate = RecordingCallGate()
    let client = client(transport, gate)
    var query = SearchQuery(text: "swift kafka", kinds: [.channel, .video], maxResults: 25, order: .date, channelID: "UCa")
    query.publishedAfter = "2026-01-01T00:00:00Z"
    query.publishedBefore = "2026-02-01T00:00:00Z"
    query.pageToken = "CAUQAA"
    _ = try await client.search(query)
    _ = try await client.search(SearchQuery(text: ""))
    let full = transport.requests[0]
    #expect(full.path == "/youtube/v3/search")
    let expected = [
      "part": "snippet", "q": "swift kafka", "type": "channel,video", "maxResults": "25", "order": "date", "channelId": "UCa",
      "publishedAfter": "2026-01-01T00:00:00Z", "publishedBefore": "2026-02-01T00:00:00Z", "pageToken": "CAUQAA",
    ]
    for (name, value) in expected { #expect(full.parameter(name) == value, "\(name)") }
    let bare = transport.requests[1]
    for name in ["q", "type", "order", "channelId", "publishedAfter", "publishedBefore", "pageToken"] {
      #expect(bare.parameter(name) == nil, "\(name)")
    }
    #expect(gate.record.admitted == [.searchList, .searchList])
  }

  @Test(arguments: [(0, "1"), (-7, "1"), (1, "1"), (50, "50"), (51, "50"), (.max, "50")])
  func theNumberOfResultsStaysWithinWhatTheAPITakes(wanted: Int, sent: String) async throws {
    let transport = ScriptedTransport([.json(#"{"items":[]}"#)])
    _ = try await client(transport).search(SearchQuery(text: "x", maxResults: wanted))
    #expect(transport.requests[0].parameter("maxResults") == sent)
  }

  @Test func theAnswerIsCutToTheFieldsThatAreRead() async throws {
    let transport = ScriptedTransport([.json(#"{"items":[]}"#)])
    _ = try await client(transport).search(SearchQuery(text: "x"))
    let fields = try #require(transport.requests[0].parameter("fields"))
    for field in ["kind", "nextPageToken", "pageInfo/totalResults", "items(id,", "title", "channelTitle", "liveBroadcastContent"] {
      #expect(fields.contains(field), "\(field)")
    }
    #expect(!fields.contains("publishTime"))
  }

  // No other method of the API escapes its texts.
  @Test func textsAreFreedOfTheirEntities() async throws {
    let page = try await page(
      #"""
      {"kind":"youtube#searchListResponse","items":[{"id":{"kind":"youtube#video","videoId":"a"},"snippet":{
      "publishedAt":"2026-01-01T00:00:00.000Z","channelId":"UCx","title":"Tom &amp; Jerry&#39;s &quot;best&quot; &amp;lt;3",
      "description":"a &lt;b&gt; &amp; c","channelTitle":"R&amp;D",
      "liveBroadcastContent":"none","thumbnails":{"default":{"url":"https://i.ytimg.com/vi/a/default.jpg","width":120,"height":90}}}}]}
      """#)
    let result = try #require(page.results.first)
    #expect(result.kind == .video && result.id == "a")
    #expect(result.title == #"Tom & Jerry's "best" &lt;3"#)
    #expect(result.description == "a <b> & c")
    #expect(result.channelTitle == "R&D")
    #expect(result.channelID == "UCx")
    #expect(result.publishedAt == "2026-01-01T00:00:00.000Z")
    #expect(result.liveBroadcastContent == "none")
    #expect(result.thumbnails.map(\.name) == ["default"])
  }

  @Test func channelHitsHaveThumbnailsWithoutSizes() async throws {
    let page = try await page(
      #"""
      {"items":[{"id":{"kind":"youtube#channel","channelId":"UCx"},"snippet":{"channelId":"UCx","title":"X",
      "liveBroadcastContent":"upcoming",
      "thumbnails":{"default":{"url":"u"}}}},{"id":{"kind":"youtube#playlist","playlistId":"PLx"},"snippet":{"thumbnails":{}}}]}
      """#)
    #expect(page.results.map(\.kind) == [.channel, .playlist])
    #expect(page.results.map(\.id) == ["UCx", "PLx"])
    #expect(page.results[0].thumbnails == [Thumbnail(name: "default", url: "u")])
    #expect(page.results[0].liveBroadcastContent == "upcoming")
    #expect(page.results[1].title == nil && page.results[1].thumbnails.isEmpty)
  }

  // A page with fewer hits than asked for, or none, is not the last one for that.
  @Test(arguments: [
    (#"{"items":[{"id":{"videoId":"a"}}],"nextPageToken":"CAEQAA","pageInfo":{"totalResults":1000000}}"#, 1, "CAEQAA", 1_000_000),
    (#"{"items":[],"nextPageToken":"CAIQAA","pageInfo":{"totalResults":19}}"#, 0, "CAIQAA", 19),
    (#"{"kind":"youtube#searchListResponse","nextPageToken":"CAMQAA"}"#, 0, "CAMQAA", nil),
    (#"{"kind":"youtube#searchListResponse","items":[],"pageInfo":{"totalResults":0}}"#, 0, nil, 0),
    (#"{"items":[{"id":{"videoId":"a"}}],"nextPageToken":""}"#, 1, nil, nil),
  ])
  func shortAndEmptyPagesKeepTheirNextPage(text: String, count: Int, token: String?, total: Int?) async throws {
    let page = try await page(text)
    #expect(page.results.count == count)
    #expect(page.nextPageToken == token)
    #expect(page.totalResults == total)
    #expect(page.skipped == 0)
  }

  @Test func hitsOfAnUnknownKindAreCountedAndLeftOut() async throws {
    let page = try await page(
      #"{"items":[{"id":{"kind":"youtube#movie","videoId":"m"}},{"id":{"kind":"youtube#video"}},7,{"id":{"videoId":"v"}}]}"#
    )
    #expect(page.results.map(\.id) == ["v"])
    #expect(page.skipped == 3)
  }

  @Test func anAnswerOfAnotherMethodIsNone() async {
    await #expect(throws: APIFailure.self) { try await page(#"{"kind":"youtube#videoListResponse","items":[]}"#) }
  }
}
