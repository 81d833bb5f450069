import JSON
import Messages
import Pipeline
import TestSupport
import Testing

@testable import Stages

/// Searches whose steps are done twice, end early, or meet trouble.
@Suite("SearchStage after crashes and endings", .timeLimit(.minutes(1)))
struct SearchRedeliveryTests {
  private static let request = SearchScene.request(#""type":["video","channel"],"maxResults":100"#)
  private static let hits = SearchScene.videos(0..<20) + [SearchScene.hit("channel", "UCa")]

  @Test func aStepThatIsDoneTwiceMakesTheSameMessages() async throws {
    let harness = StageHarness(ScriptedTransport((0..<2).map { _ in SearchScene.page(Self.hits, token: "T") }))
    let once = try await harness.search.handle(Self.request)
    let again = try await harness.search.handle(Self.request)
    #expect(once.map(\.id) == again.map(\.id) && once.map(\.value) == again.map(\.value) && once.map(\.key) == again.map(\.key))
    #expect(Set(once.map(\.id)).count == once.count, "no two messages of a step share an id")
  }

  @Test func idsOfDifferentPagesDiffer() async throws {
    let harness = StageHarness(
      ScriptedTransport([
        SearchScene.page(Self.hits, token: "T"), SearchScene.page([SearchScene.hit("channel", "UCb")] + SearchScene.videos(20..<30)),
      ]))
    let outputs = try await SearchScene.run(Self.request, harness)
    #expect(Set(outputs.map(\.id)).count == outputs.count)
    #expect(outputs.allSatisfy { $0.id?.hasPrefix("p.search-requests-2-7/") == true }, "all are made of the request's place")
  }

  /// A second chain of pages, and second requests for channels, would cost what the first did.
  @Test func whatComesTwiceIsFollowedOnce() async throws {
    let harness = StageHarness(SearchScene.page(Self.hits, token: "T"))
    let outputs = try await harness.search.handle(Self.request)
    let continuation = SearchScene.received(try #require(outputs.first { $0.topic == .searchContinuations }))
    let channel = SearchScene.received(try #require(outputs.first { $0.topic == .channelRequests }))
    #expect(harness.search.skipsRepetitions && harness.search.skipsRepetition(of: continuation))
    #expect(!harness.search.skipsRepetition(of: Self.request), "others write requests, with any id")
    #expect(harness.channels.skipsRepetition(of: channel))
    let strangers = StageHarness.message(
      .channelRequests, "@Google", headers: [MessageHeader(HeaderName.source, "tubeline/cli"), MessageHeader(HeaderName.id, "x")])
    #expect(!harness.channels.skipsRepetition(of: strangers))
  }

  @Test func aContinuationThatIsTriedAgainIsStillOne() async throws {
    let harness = StageHarness(ScriptedTransport([SearchScene.page(Self.hits, token: "T"), SearchScene.page(SearchScene.videos(20..<25))]))
    let outputs = try await harness.search.handle(Self.request)
    let continuation = SearchScene.received(try #require(outputs.first { $0.topic == .searchContinuations }))
    let retry = DeadLetter.retry(
      continuation, stage: .search, attempt: 1, notBefore: "2026-11-30T00:00:05.000Z", because: Rejection(.attemptsExhausted, "503"))
    let last = try await harness.search.handle(SearchScene.received(retry))
    #expect(last[.playlistPages].first?["pageNumber"] == 2 && last[.playlistPages].first?["last"] == true)
    #expect(last.first { $0.topic == .playlistPages }?.id == "p.search-requests-2-7/page/2")
  }

  @Test func aServersTroubleIsRetriedAndAWrongKeyStops() async throws {
    let trouble = StageHarness.error(503, "backendError")
    do {
      _ = try await StageHarness(trouble, trouble, trouble, trouble).search.handle(Self.request)
      Issue.record("went on")
    } catch StageFailure.retry {} catch { Issue.record("\(error)") }
    do {
      _ = try await StageHarness(StageHarness.error(400, "keyInvalid")).search.handle(Self.request)
      Issue.record("went on")
    } catch StageFailure.stop {} catch { Issue.record("\(error)") }
  }

  @Test func aMethodThatFindsNothingIsNoTrouble() async throws {
    let outputs = try await StageHarness(StageHarness.error(404, "channelNotFound")).search.handle(Self.request)
    #expect(outputs.terminalEvents == ["notFound"] && outputs[0].json["totals"] == ["pages": 0, "items": 0, "units": 0, "searches": 1])
  }

  @Test func aSearchThatIsCancelledBetweenPagesCostsNoMore() async throws {
    let harness = StageHarness(SearchScene.page(Self.hits, token: "T"))
    var outputs = try await harness.search.handle(Self.request)
    harness.cancelled.insert("r")
    outputs += try await harness.search.handle(SearchScene.received(try #require(outputs.first { $0.topic == .searchContinuations })))
    for page in outputs where page.topic == .playlistPages { outputs += try await harness.videos.handle(SearchScene.received(page)) }
    #expect(outputs.terminalEvents == ["cancelled"])
    #expect(outputs.first { $0.event == "cancelled" }?.json["totals"] == ["pages": 1, "items": 20, "units": 1, "searches": 1])
    #expect(harness.transport.requests.count == 1)
  }

  @Test func messagesOfNobodyHaveNoFarewell() {
    let message = StageHarness.message(.searchContinuations, "{}")
    #expect(StageHarness().search.farewell(to: message, because: Rejection(.invalidMessage, "x")).isEmpty)
  }

  @Test(arguments: [nil, "{", "{}", #"{"requestId":"r","pageToken":"T"}"#] as [String?])
  func aBrokenContinuationIsRefused(text: String?) async {
    do {
      _ = try await StageHarness().search.handle(StageHarness.message(.searchContinuations, text))
      Issue.record("accepted")
    } catch StageFailure.reject(let rejection) { #expect([.invalidMessage, .tombstone].contains(rejection.code)) } catch {
      Issue.record("\(error)")
    }
  }
}
