import JSON
import Kafka
import Messages
import Testing

@testable import TubelineCLI

/// What `tubeline search` makes of events and records.
@Suite("The state of a search", .timeLimit(.minutes(1)))
struct SearchStateTests {
  private static func tell(_ state: inout SearchState, _ json: JSONTree) throws {
    let record = ConsumedRecord(
      topic: "t", partition: 0, offset: 0, timestamp: nil, key: nil, value: json.bytes(), headers: [])
    state.receive(record, try JSONDocument.parse(json.bytes()).root)
  }

  private static func video(
    _ id: String, _ position: Int, request: String = "r", availability: String = "public", _ more: [JSONTree.Member] = []
  ) -> JSONTree {
    .object(
      [
        .init("videoId", .string(id)), .init("url", .string("u/\(id)")), .init("requestId", .string(request)),
        .init("position", .int(position)),
        .init("availability", .string(availability)),
      ] + more)
  }

  private static func channel(_ id: String) -> JSONTree { ["channelId": .string(id), "requestId": .string("r/\(id)"), "title": "T"] }

  private static func event(
    _ kind: RequestEvent.Kind, _ request: String = "r", found: SearchCounts? = nil, results: [FoundResult] = []
  ) -> RequestEvent {
    var event = RequestEvent(requestID: request, kind: kind, stage: .search, at: "")
    event.found = found
    event.results = results
    return event
  }

  private static let results = [
    FoundResult(position: 0, kind: .channel, id: "UCa", requestID: "r/UCa"),
    FoundResult(position: 1, kind: .playlist, id: "PLa", requestID: "r/PLa"),
    FoundResult(position: 2, kind: .video, id: "v2"), FoundResult(position: 3, kind: .video, id: "v3"),
  ]
  private static let found = SearchCounts(channels: 1, videos: 2, playlists: 1)

  private static func ids(_ shown: [SearchState.Shown]) -> [String] {
    shown.compactMap { $0.record.value.flatMap { try? JSONTree.parse($0) } }.compactMap {
      $0["videoId"]?.string ?? $0["channelId"]?.string ?? $0["playlistId"]?.string
    }
  }

  @Test func resultsAreShownInTheOrderOfTheSearch() throws {
    var state = SearchState(requestID: "r")
    try Self.tell(&state, Self.video("v3", 3))
    try Self.tell(&state, Self.video("v2", 2))
    #expect(state.takeShown().isEmpty, "nothing is known of the order yet")
    state.receive(Self.event(.resolved, results: Self.results))
    #expect(state.takeShown().isEmpty, "the channel comes first")
    try Self.tell(&state, Self.video("e1", 0, request: "r/PLa"))
    #expect(Self.ids(state.takeShown()) == ["e1"], "entries of lists wait for nothing")
    try Self.tell(&state, Self.channel("UCa"))
    #expect(Self.ids(state.takeShown()) == ["UCa", "PLa", "v2", "v3"])
    #expect(Self.ids(state.takeShown(isLast: true)) == [])
  }

  @Test func aChannelThatIsGoneIsNotWaitedFor() throws {
    var state = SearchState(requestID: "r")
    state.receive(Self.event(.notFound, "r/UCa"))
    state.receive(Self.event(.resolved, results: Self.results))
    try Self.tell(&state, Self.video("v2", 2))
    #expect(Self.ids(state.takeShown()) == ["PLa", "v2"])
  }

  @Test func theEndDoesNotWaitForWhatNeverCame() throws {
    var state = SearchState(requestID: "r")
    state.receive(Self.event(.resolved, results: Self.results))
    try Self.tell(&state, Self.video("v3", 3))
    #expect(Self.ids(state.takeShown(isLast: true)) == ["PLa", "v3"])
  }

  @Test func repetitionsAndStrangersAreNotShown() throws {
    var state = SearchState(requestID: "r")
    state.receive(Self.event(.resolved, results: [FoundResult(position: 0, kind: .video, id: "v")]))
    for json in [Self.video("v", 0), Self.video("v", 0), Self.video("x", 0, request: "q"), Self.video("y", 0, request: "q/PLa"), ["a": 1]] {
      try Self.tell(&state, json)
    }
    #expect(Self.ids(state.takeShown(isLast: true)) == ["v"])
  }

  @Test func itIsFinishedWhenEveryRequestThatItMadeHasEnded() {
    var state = SearchState(requestID: "r")
    state.receive(Self.event(.completed, "r/UCa"))
    state.receive(Self.event(.completed, "q/UCb"))
    state.receive(Self.event(.completed, found: Self.found))
    #expect(!state.isFinished)
    state.receive(Self.event(.resolved, "r/PLa"))
    #expect(!state.isFinished)
    state.receive(Self.event(.completed, "r/PLa"))
    #expect(state.isFinished && state.isSuccessful)
    state.receive(Self.event(.failed, "r/PLa"))
    #expect(!state.isSuccessful)
  }

  @Test func aSearchThatFailsIsFinishedAndNoSuccess() {
    var state = SearchState(requestID: "r")
    state.receive(Self.event(.rejected))
    #expect(state.isFinished && !state.isSuccessful)
    var other = SearchState(requestID: "r")
    other.receive(Self.event(.pageFailed))
    other.receive(Self.event(.completed, found: SearchCounts()))
    #expect(other.isFinished && !other.isSuccessful)
  }

  @Test func theFirstVideoIsTheFirstThatPlays() throws {
    var state = SearchState(requestID: "r")
    state.receive(
      Self.event(
        .resolved,
        results: Self.results + [FoundResult(position: 4, kind: .video, id: "v4"), FoundResult(position: 5, kind: .video, id: "v5")]))
    try Self.tell(&state, Self.video("v5", 5))
    #expect(state.firstVideo() == nil, "an earlier one may come")
    try Self.tell(&state, Self.video("v2", 2, [.init("embeddable", false)]))
    try Self.tell(&state, Self.video("v3", 3, availability: "unknown"))
    #expect(state.firstVideo() == nil && state.firstVideo(isLast: true) == "u/v5")
    try Self.tell(&state, Self.video("v4", 4, [.init("liveBroadcastContent", "upcoming")]))
    #expect(state.firstVideo() == "u/v5")
  }

  @Test func aVideoThatPlaysOnlyOnYouTubeIsBetterThanNone() throws {
    var state = SearchState(requestID: "r")
    state.receive(Self.event(.resolved, results: Self.results))
    try Self.tell(&state, Self.video("v2", 2, availability: "private"))
    try Self.tell(&state, Self.video("v3", 3, [.init("embeddable", false)]))
    #expect(state.firstVideo() == nil)
    #expect(state.firstVideo(isLast: true) == "u/v3")
    var premiere = SearchState(requestID: "r")
    try Self.tell(&premiere, Self.video("v2", 2, [.init("liveBroadcastContent", "upcoming")]))
    #expect(premiere.firstVideo(isLast: true) == nil)
    #expect(SearchState(requestID: "r").firstVideo(isLast: true) == nil)
  }
}

@Suite("The command line of a search", .timeLimit(.minutes(1)))
struct SearchOptionsTests {
  private func options(_ arguments: String..., environment: [String: String] = [:]) throws -> SearchOptions {
    try SearchOptions(SearchCommand.specification.parser.parse(arguments), environment: environment)
  }

  @Test func wordsAreOneQuery() throws {
    let options = try options("swift", "--type", "video,channel", "kafka", "--max-results", "120", "--order=date", "--no-enrich")
    #expect(options.request.query == "swift kafka" && options.request.kinds == [.channel, .video] && options.request.maxResults == 120)
    #expect(options.request.parameters == [.order: "date"] && !options.request.options.enrich && !options.waits)
    #expect(options.requestID.hasPrefix("r-") && options.request.requestID == options.requestID)
    #expect(try SearchRequest(value: options.request.bytes) == options.request)
  }

  @Test func everyParameterHasAFlag() throws {
    #expect(SearchOptions.flag(.videoPaidProductPlacement) == "--video-paid-product-placement")
    let names = Set(SearchCommand.specification.options.map(\.name))
    for parameter in SearchParameter.allCases { #expect(names.contains(SearchOptions.flag(parameter))) }
    #expect(names.count == SearchCommand.specification.options.count)
  }

  @Test func theKindDependsOnWhatIsWanted() throws {
    #expect(try options("x").request.kinds == [.channel])
    #expect(try options("x", "--first-video").request.kinds == [.video])
    #expect(try options("x", "--first-video", "--type", "channel,video").stages == [.search, .videos])
    #expect(try options("x", "--wait").stages == [.search, .channels])
    #expect(try options("x", "--wait", "--type", "video").stages == [.search, .videos])
    #expect(try options("x", "--wait", "--type", "playlist").stages == [.search, .channels, .playlists, .videos])
    #expect(try options("x", "--wait", "--scope", "uploads").stages == [.search, .channels, .playlists, .videos])
  }

  @Test func aClusterIsWhatFlagOrEnvironmentSay() throws {
    #expect(try options("x", "--wait").backend.bootstrapServers == nil)
    #expect(try options("x", "--wait", environment: ["KAFKA_BOOTSTRAP_SERVERS": "k:9092"]).backend.bootstrapServers == "k:9092")
    #expect(
      try options("x", "--wait", "--bootstrap-servers", "l:1", environment: ["KAFKA_BOOTSTRAP_SERVERS": "k:1"]).backend.bootstrapServers
        == "l:1")
  }

  @Test(arguments: [
    [], [" "], ["x", "--type", "person"], ["x", "--type", ""], ["x", "--max-results", "501"], ["x", "--order", "newest"],
    ["x", "--video-duration", "short"], ["x", "--published-after", "2026-02-01", "--published-before", "2026-01-01"],
    ["x", "--first-video", "--type", "channel"], ["x", "--first-video", "--wait"], ["x", "--timeout", "5s"], ["x", "--format", "csv"],
    ["x", "--first-video", "--format", "csv"], ["x", "--first-video", "--raw-csv"], ["x", "--raw-csv"],
    ["x", "--wait", "--timeout", "soon"], ["x", "--demo"], ["x", "--wait", "--demo", "--bootstrap-servers", "k:1"],
    ["x", "--request-id", ""],
    ["x", "--scope", "video"],
  ]) func mistakesAreToldBeforeAnythingIsPublished(arguments: [String]) throws {
    let parsed = try SearchCommand.specification.parser.parse(arguments)
    #expect(throws: UsageError.self) { try SearchOptions(parsed, environment: [:]) }
  }

  @Test func theLastEventInWords() {
    var event = RequestEvent(requestID: "r", kind: .completed, stage: .videos, at: "")
    event.found = SearchCounts(channels: 1, videos: 47)
    event.totals = Totals(pages: 2, items: 47, units: 1, searches: 2)
    event.truncatedBy = .maxResults
    #expect(
      SearchReport.sentence(event)
        == "The search is completed: found 1 channel, 47 videos; 2 of the day's searches and 1 unit spent on the search itself; there are more."
    )
    event.found = SearchCounts()
    event.truncatedBy = nil
    event.totals?.units = 0
    #expect(SearchReport.sentence(event) == "The search is completed: found nothing; 2 of the day's searches spent.")
  }

  @Test func whoHasToBeStartedIsNamed() {
    let stages: [StageName] = [.search, .videos]
    #expect(SearchReport.advice(needed: stages, working: [.videos]) == "It needs workers that do not run: start tubeline-search.")
    #expect(SearchReport.advice(needed: stages, working: []).hasSuffix("start tubeline-search, tubeline-videos."))
    #expect(!SearchReport.advice(needed: stages, working: [.videos, .search]).contains("start"))
    #expect(SearchReport.advice(needed: stages, working: nil).contains("tubeline status"))
  }
}
