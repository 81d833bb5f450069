import FoundationEssentials
import JSON
import Kafka
import Messages
import Testing

@testable import TubelineCLI

@Suite("States of requests", .timeLimit(.minutes(1)))
struct RequestStatusTests {
  private static func event(
    _ kind: RequestEvent.Kind, at: String = "2026-01-01T00:00:01Z", _ change: (inout RequestEvent) -> Void = { _ in }
  )
    -> RequestEvent
  {
    var event = RequestEvent(requestID: "r", kind: kind, stage: .videos, at: at)
    change(&event)
    return event
  }

  private static func page(_ number: Int, records: Int, unavailable: Int = 0, units: Int) -> RequestEvent {
    event(.page) { event in
      event.pageNumber = number
      event.records = records
      event.unavailable = unavailable
      event.totals = Totals(pages: number, items: records * number, units: units)
    }
  }

  private func status(_ events: RequestEvent...) -> RequestStatus {
    var status = RequestStatus(id: "r")
    for event in events { status.note(event) }
    return status
  }

  static let ends: [(RequestEvent.Kind, RequestStatus.State)] = [
    (.resolved, .running), (.page, .running), (.pageFailed, .running), (.completed, .completed), (.notFound, .notFound),
    (.failed, .failed), (.cancelled, .cancelled), (.expired, .expired), (.rejected, .rejected),
  ]

  @Test(arguments: ends) func theStateFollowsTheEvent(kind: RequestEvent.Kind, state: RequestStatus.State) {
    #expect(status(Self.event(kind)).state == state)
  }

  @Test func withoutAnEventARequestWaits() {
    #expect(RequestStatus(id: "r").state == .waiting && RequestStatus.State.waiting.isActive)
  }

  @Test func aPageThatWasUnderWayDoesNotReopenARequest() {
    let status = status(Self.event(.resolved), Self.event(.cancelled), Self.page(2, records: 50, units: 5))
    #expect(status.state == .cancelled && status.videos == 50)
  }

  @Test func aReplayedLetterMayStillCompleteWhatFailed() {
    #expect(status(Self.event(.failed), Self.event(.completed)).state == .completed)
  }

  @Test func pagesAreCountedOnceAndUnitsAreTheListings() {
    let resolved = Self.event(.resolved) { $0.videoCount = 120 }
    let status = status(
      resolved, Self.page(1, records: 50, unavailable: 2, units: 3), Self.page(2, records: 50, units: 5),
      Self.page(1, records: 50, unavailable: 2, units: 3))
    #expect(status.pages == 2 && status.videos == 100 && status.unavailable == 2 && status.units == 5)
    #expect(status.expected == 120)
  }

  @Test func countsThatFitNoIntegerEndNothing() {
    var status = RequestStatus(id: "r")
    for number in 1...2000 {
      status.note(
        Self.event(.page) { event in
          event.pageNumber = number
          event.records = 1 << 53
          event.unavailable = 1 << 53
        })
    }
    #expect(status.videos == .max && status.unavailable == .max)
  }

  @Test func theEndTellsTheCounts() {
    let end = Self.event(.completed) { event in
      event.totals = Totals(pages: 3, items: 120, units: 7)
      event.truncatedBy = .maxVideos
    }
    let status = status(Self.event(.resolved) { $0.videoCount = 4000 }, Self.page(1, records: 50, units: 3), end)
    #expect(status.pages == 3 && status.videos == 120 && status.units == 7 && status.expected == 120 && status.truncatedBy == .maxVideos)
  }

  @Test func aPageThatFailedIsToldUntilItComes() {
    let failed = Self.event(.pageFailed) { event in
      event.pageNumber = 3
      event.error = RequestEvent.Failure(code: "attemptsExhausted", message: "m")
    }
    #expect(status(failed).pageFailures.keys.sorted() == [3])
    #expect(status(failed).json["pageFailures"] == [["pageNumber": 3, "error": ["code": "attemptsExhausted", "message": "m"]]])
    #expect(status(failed, Self.page(3, records: 50, units: 9)).pageFailures.isEmpty)
  }

  @Test func theLimitOfARequestIsExpectedAtMost() throws {
    var status = RequestStatus(id: "r")
    status.note(request: try ChannelRequest(value: Array(#"{"channel":"@x","maxVideos":80}"#.utf8)), at: "2026-01-01T00:00:00Z")
    status.note(Self.event(.resolved) { $0.videoCount = 4000 })
    #expect(status.expected == 80 && status.reference == "@x" && status.begun == "2026-01-01T00:00:00Z")
  }

  @Test(arguments: [#""since":"last""#, #""publishedAfter":"2026-01-01T00:00:00Z""#])
  func howFarAPartOfAListGoesIsKnownAtItsEnd(option: String) throws {
    var status = RequestStatus(id: "r")
    status.note(request: try ChannelRequest(value: Array("{\"channel\":\"@x\",\(option)}".utf8)), at: nil)
    status.note(Self.event(.resolved) { $0.videoCount = 4000 })
    #expect(status.expected == nil)
    status.note(Self.event(.completed) { $0.totals = Totals(pages: 1, items: 3, units: 3) })
    #expect(status.expected == 3)
  }

  private func record(_ topic: String, _ value: String, offset: Int64 = 0) -> ConsumedRecord {
    ConsumedRecord(topic: topic, partition: 1, offset: offset, timestamp: 1_767_225_600_000 + offset, value: Array(value.utf8))
  }

  @Test func theBoardKnowsRequestsWithoutAnIDByTheirPlace() {
    var board = RequestBoard()
    board.note(request: record("channel-requests", "@Google", offset: 7))
    board.note(request: record("channel-requests", #"{"channel":"a","requestId":"named"}"#, offset: 8))
    board.note(request: record("channel-requests", #"{"requestId":"bad","channel":5}"#, offset: 9))
    board.note(event: record("request-events", #"{"requestId":"old","type":"completed","stage":"videos","at":"2025-01-01T00:00:00Z"}"#))
    board.note(event: record("request-events", "no json"))
    #expect(board.newest().map(\.id) == ["bad", "named", "channel-requests-1-7", "old"])
    #expect(board.newest(activeOnly: true).map(\.id) == ["bad", "named", "channel-requests-1-7"])
    #expect(board.newest(limit: 1).map(\.id) == ["bad"] && board.unreadable == 1)
  }

  @Test func idsThatUnicodeHoldsToBeEqualAreTwoRequests() {
    var board = RequestBoard()
    for id in ["caf\u{E9}", "cafe\u{301}"] {
      board.note(request: record("channel-requests", #"{"channel":"a","requestId":"\#(id)"}"#))
    }
    board.note(control: record("request-control", "{\"requestId\":\"caf\u{E9}\",\"type\":\"cancel\",\"at\":\"2026-01-01T00:00:00Z\"}"))
    #expect(board.newest().count == 2)
    #expect(board["caf\u{E9}"]?.stateWord == "cancelling" && board["cafe\u{301}"]?.stateWord == "waiting")
  }

  @Test(arguments: [
    (#"{"requestId": "r", "channel": "@Google", "scope": "all"}"#, "@Google"), (#"{"requestId": "r", "query": "x"}"#, "x"),
    ("\u{FEFF}{\"username\": \"GoogleDevelopers\", \"scope\": \"all\"}", "GoogleDevelopers"), ("nonsense", nil),
    (#"{"requestId": "r"}"#, nil),
  ])
  func anUnusableRequestStillHasItsName(value: String, name: String?) {
    var status = RequestStatus(id: "r")
    status.note(unusable: Array(value.utf8), at: "2026-01-01T00:00:00Z")
    #expect(status.reference == name && status.begun == "2026-01-01T00:00:00Z")
  }
}
