import FoundationEssentials
import JSON
import Testing

@testable import Messages

@Suite("SearchRequest", .timeLimit(.minutes(1)))
struct SearchRequestTests {
  private func read(_ text: String) throws(PayloadError) -> SearchRequest { try SearchRequest(value: Array(text.utf8)) }

  @Test(arguments: [
    ("swift kafka", "swift kafka"), (" \u{3000}日本 \n", "日本"), ("\u{FEFF}a{b", "a{b"), ("c++ -java | rust", "c++ -java | rust"),
  ])
  func plainTextSearchesForChannels(text: String, query: String) throws {
    let request = try read(text)
    #expect(request.query == query && request.kinds == [.channel] && request.maxResults == 50 && request.requestID == nil)
    #expect(request.options.scope == .details && request.options.enrich)
  }

  @Test func everyFieldIsReadAndSurvives() throws {
    let text = """
      {"requestId":"r-81","query":" swift  Kafka ","type":["video"],"maxResults":120,"order":"date","channelId":"UCK8sQmJBp8GCxrOtXWBpyEA",
       "publishedAfter":"2026-01-01T00:00:00Z","publishedBefore":"2026-02-01T01:00:00+01:00","regionCode":"CH","relevanceLanguage":"zh-Hans",
       "safeSearch":"none","topicId":"/m/04rlf","location":"-47.5,8.54","locationRadius":"12.5km","eventType":"completed",
       "videoCaption":"closedCaption","videoCategoryId":"28","videoDefinition":"high","videoDimension":"2d","videoDuration":"short",
       "videoEmbeddable":"true","videoLicense":"creativeCommon","videoPaidProductPlacement":"any","videoSyndicated":"true",
       "videoType":"episode","enrich":false,"scope":"uploads","maxVideos":7,"expiresAt":"2026-12-01T00:00:00Z","unknown":[1]}
      """
    let request = try read(text)
    #expect(request.parameters.count == SearchParameter.allCases.count - 1, "all but channelType")
    #expect(request.options.maxVideos == 7 && request.options.scope == .uploads && !request.options.enrich)
    #expect(request.options.publishedAfter == nil, "the search's own, not its results' listings'")
    #expect(request.key == "swift kafka" && request.reference == "swift  Kafka")
    #expect(try SearchRequest(value: request.bytes) == request)
    let json = try JSONTree.parse(request.bytes)
    #expect(json["publishedBefore"] == "2026-02-01T00:00:00.000Z" && json["type"] == ["video"] && json["videoDuration"] == "short")
  }

  @Test(arguments: [
    (#""video""#, [SearchRequest.Kind.video]), (#""video, channel""#, [.channel, .video]),
    (#"["playlist","video","video"]"#, [.video, .playlist]),
    ("null", [.channel]),
  ])
  func typesAreAWordOrSeveral(type: String, kinds: [SearchRequest.Kind]) throws {
    #expect(try read(#"{"query":"x","type":\#(type)}"#).kinds == kinds)
  }

  @Test func whatStandsForAQuery() throws {
    #expect(try read(#"{"channelId":"UCK8sQmJBp8GCxrOtXWBpyEA","type":"video"}"#).key == "UCK8sQmJBp8GCxrOtXWBpyEA")
    #expect(try read(#"{"topicId":"/m/04rlf"}"#).reference == "/m/04rlf")
  }

  private static let contradictions: [(String, String)] = [
    ("{}", "needs a \"query\""), (#"{"query":"  "}"#, "needs a \"query\""), (#"{"query":7}"#, "\"query\" must be a string"),
    (#"{"query":"a\nb"}"#, "control characters"), (#"{"query":"a\u0000b"}"#, "control characters"),
    (#"{"query":"\#(String(repeating: "é", count: 501))"}"#, "1002 bytes"),
    (#"{"query":"x","type":["person"]}"#, "channel, video, playlist"), (#"{"query":"x","type":[]}"#, "\"type\" is empty"),
    (#"{"query":"x","type":[1]}"#, "array of strings"), (#"{"query":"x","type":{}}"#, "array of strings"),
    (#"{"query":"x","maxResults":0}"#, "at least 1"), (#"{"query":"x","maxResults":501}"#, "1 to 500"),
    (#"{"query":"x","maxResults":"5"}"#, "whole number"), (#"{"query":"x","requestId":""}"#, "1 to 256 bytes"),
    (#"{"query":"x","order":"newest"}"#, "date, rating, relevance"), (#"{"query":"x","order":1}"#, "\"order\" must be a string"),
    (#"{"query":"x","channelId":"Google"}"#, "UC and 22"), (#"{"query":"x","regionCode":"Swiss"}"#, "two letters"),
    (#"{"query":"x","relevanceLanguage":"d"}"#, "language code"), (#"{"query":"x","safeSearch":""}"#, "moderate, none, strict"),
    (#"{"query":"x","topicId":"music"}"#, "/m/04rlf"), (#"{"query":"x","publishedAfter":"yesterday"}"#, "RFC 3339"),
    (#"{"query":"x","publishedAfter":"2026-02-01T00:00:00Z","publishedBefore":"2026-02-01T00:00:00Z"}"#, "before \"publishedBefore\""),
    (#"{"query":"x","videoDuration":"short"}"#, "\"videoDuration\" needs \"type\": [\"video\"]"),
    (#"{"query":"x","type":["video","channel"],"videoEmbeddable":"true"}"#, "\"videoEmbeddable\" needs"),
    (#"{"query":"x","type":"channel","eventType":"live"}"#, "\"eventType\" needs"),
    (#"{"query":"x","type":"video","eventType":"now"}"#, "completed, live, upcoming"),
    (#"{"query":"x","type":"video","videoDuration":"huge"}"#, "any, long, medium, short"),
    (#"{"query":"x","type":"video","videoCategoryId":"music"}"#, "video category"),
    (#"{"query":"x","type":"video","location":"47,8"}"#, "need each other"),
    (#"{"query":"x","type":"video","locationRadius":"5km"}"#, "need each other"),
    (#"{"query":"x","type":"video","location":"97,8","locationRadius":"5km"}"#, "latitude"),
    (#"{"query":"x","type":"video","location":"0x1,8","locationRadius":"5km"}"#, "latitude"),
    (#"{"query":"x","type":"video","location":"47,8","locationRadius":"1001km"}"#, "at most 1000km"),
    (#"{"query":"x","type":"video","location":"47,8","locationRadius":"5 parsecs"}"#, "at most 1000km"),
    (#"{"query":"x","type":"video","channelType":"show"}"#, "channel among the types"),
    (#"{"query":"x","scope":"video"}"#, "details or uploads"), (#"{"query":"x","scope":"all"}"#, "\"scope\" must be"),
    (#"{"query":"x","maxVideos":0}"#, "\"maxVideos\""), ("[]", "JSON object"),
  ]

  @Test(arguments: contradictions) func aMistakeIsNamed(text: String, sentence: String) {
    do throws(PayloadError) {
      _ = try read(text)
      Issue.record("accepted: \(text)")
    } catch {
      #expect(error.code == .invalidRequest)
      #expect(error.message.contains(sentence), "\(error.message)")
    }
  }

  @Test func whatIsNoTextHasItsCode() {
    func code(_ value: [UInt8]?) -> DeadLetterCode? {
      do throws(PayloadError) {
        _ = try SearchRequest(value: value)
        return nil
      } catch { return error.code }
    }
    #expect(code(nil) == .tombstone)
    #expect(code(Array(" \u{A0}".utf8)) == .emptyMessage)
    #expect(code([0xFF]) == .invalidUTF8)
    #expect(code(Array("{x".utf8)) == .invalidJSON)
    #expect(code(Array(String(repeating: "a", count: 1_000_000).utf8)) == .invalidRequest)
  }

  @Test func idsOfResultsFitIntoRequests() throws {
    #expect(SearchRequest.requestID(of: "UCx", in: "r-81") == "r-81/UCx")
    let long = String(repeating: "r", count: 256)
    let id = SearchRequest.requestID(of: "UCK8sQmJBp8GCxrOtXWBpyEA", in: long)
    #expect(id.utf8.count <= 256 && id.hasSuffix("/UCK8sQmJBp8GCxrOtXWBpyEA"))
    #expect(id == SearchRequest.requestID(of: "UCK8sQmJBp8GCxrOtXWBpyEA", in: long))
    #expect(id != SearchRequest.requestID(of: "UCK8sQmJBp8GCxrOtXWBpyEA", in: long.dropLast() + "s"))
    let request = ChannelRequest(requestID: id, target: .id("UCK8sQmJBp8GCxrOtXWBpyEA"))
    #expect(try ChannelRequest(value: request.bytes).requestID == id)
  }

  @Test func aContinuationSurvives() throws {
    var progress = SearchProgress()
    progress.totals = Totals(pages: 2, items: 40, units: 2)
    progress.enrichments = 2
    progress.found = SearchCounts(channels: 3, videos: 40, playlists: 1)
    progress.seen = ["UCx", "v1"]
    progress.read = 97
    progress.barren = 1
    var request = try read(#"{"query":"x","type":["video","channel"],"maxResults":200,"order":"date","scope":"uploads"}"#)
    request.publishedBefore = Date(timeIntervalSince1970: 1_800_000_000)
    // The id of a request that named none is its place, which may be longer.
    let step = SearchContinuation(
      request: request, requestID: String(repeating: "p", count: 290), pageToken: "CDIQAA", pageNumber: 3, progress: progress)
    let again = try SearchContinuation(json: JSONDocument.parse(step.bytes).root)
    #expect(again == step && again.key == step.requestID && again.place == "search/3")
    for text in [
      "{}", #"{"requestId":"r","query":"x"}"#, #"{"requestId":"r","pageToken":"T"}"#,
      #"{"requestId":"r","query":"x","pageToken":"T","seen":7}"#,
    ] {
      #expect(throws: PayloadError.self) { try SearchContinuation(json: JSONDocument.parse(Array(text.utf8)).root) }
    }
  }
}
