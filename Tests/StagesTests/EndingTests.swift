import FoundationEssentials
import Messages
import Pipeline
import TestSupport
import Testing

@testable import Stages

/// Requests that end before their work is done.
@Suite("Requests that are cancelled or expire", .timeLimit(.minutes(1)))
struct EndingTests {
  enum Cause: String, CaseIterable { case cancelled, expired }

  private static let expiresAt = StageHarness.now.addingTimeInterval(60)

  private static func options() -> RequestOptions {
    var options = RequestOptions()
    options.expiresAt = expiresAt
    return options
  }

  private static let listing = Listing(
    requestID: "r", reference: "@Google", source: .uploads, playlistID: "UUx", channelID: "UCx",
    totals: Totals(pages: 1, items: 50, units: 2),
    options: options())

  private static func page(last: Bool) -> ReceivedMessage {
    StageHarness.message(
      PlaylistPage(listing: listing, pageNumber: 2, totalResults: 99, items: [PlaylistPage.Item(videoID: "v1")], last: last))
  }

  private static let cases: [(stage: StageName, message: ReceivedMessage, events: Int)] = [
    (.channels, StageHarness.message(.channelRequests, #"{"channel":"@Google","requestId":"r","expiresAt":"\#(Self.expiryText)"}"#), 1),
    (.playlists, StageHarness.message(PlaylistRequest(listing: listing, pageToken: "T", pageNumber: 2)), 1),
    (.videos, page(last: true), 1), (.videos, page(last: false), 0),
    (.search, StageHarness.message(.searchRequests, #"{"query":"x","requestId":"r","expiresAt":"\#(Self.expiryText)"}"#), 1),
    (.search, StageHarness.message(continuation), 1),
  ]
  private static let continuation: SearchContinuation = {
    var request = SearchRequest(query: "x", kinds: [.video])
    request.options.expiresAt = expiresAt
    return SearchContinuation(request: request, requestID: "r", pageToken: "T", pageNumber: 2)
  }()
  private static let expiryText = ISO8601.text(expiresAt)

  /// Pages are handled side by side, and published in their order.
  @Test func aRequestWhosePageWasLeftOutIsNotCompleted() async throws {
    let harness = StageHarness(ScriptedTransport { _ in StageHarness.videoList(["v1"]) })
    let stage = harness.stage(.videos)
    let last = Self.page(last: true)
    let outputs = try await stage.handle(last)
    #expect(outputs.events == ["page", "completed"] && stage.conclude(outputs, of: last).events == outputs.events)
    harness.cancelled.insert("r")
    #expect(try await stage.handle(Self.page(last: false)).isEmpty)
    let concluded = stage.conclude(outputs, of: last)
    #expect(concluded.events == ["page", "cancelled"] && concluded.topics == outputs.topics)
    #expect(concluded.last?.json["totals"] == outputs.last?.json["totals"])
    // Others are not concerned.
    var other = Self.listing
    other.requestID = "other"
    let foreign = StageHarness.message(
      PlaylistPage(listing: other, pageNumber: 2, totalResults: 99, items: [PlaylistPage.Item(videoID: "v1")], last: true))
    let complete = try await stage.handle(foreign)
    #expect(stage.conclude(complete, of: foreign).events == ["page", "completed"])
  }

  /// While the call waits for quota; nothing is sent then.
  @Test(arguments: Cause.allCases, 0..<6)
  func aRequestThatEndsWhileItWaitsCostsNothingMore(_ cause: Cause, _ number: Int) async throws {
    let (stage, message, events) = Self.cases[number]
    let expiry = Gate()
    let harness = StageHarness(ScriptedTransport([]), gate: Gate(), expiry: expiry)
    async let outputs = harness.stage(stage).handle(message)
    await harness.gate.arrivals.wait(forCount: 1)
    switch cause {
    case .cancelled: harness.cancelled.insert("r")
    case .expired: expiry.open()
    }
    #expect(try await outputs.events == Array(repeating: cause.rawValue, count: events))
    #expect(try await outputs.topics == Array(repeating: .requestEvents, count: events))
    #expect(harness.gate.record.admitted.isEmpty)
  }

  @Test(arguments: 0..<6) func aRequestThatWasCancelledBeforeIsNotAskedFor(_ number: Int) async throws {
    let (stage, message, events) = Self.cases[number]
    let harness = StageHarness(ScriptedTransport([]))
    harness.cancelled.insert("r")
    harness.cancelled.insert("another")
    #expect(try await harness.stage(stage).handle(message).events == Array(repeating: "cancelled", count: events))
    #expect(harness.gate.arrivals.count == 0)
  }

  @Test func othersGoOn() async throws {
    let harness = StageHarness(StageHarness.page(count: 50, token: "T2"))
    harness.cancelled.insert("another")
    #expect(try await harness.playlists.handle(Self.cases[1].message).topics == [.playlistPages, .playlistRequests])
  }

  @Test func theEndTellsWhatWasListed() async throws {
    let harness = StageHarness(ScriptedTransport([]))
    harness.cancelled.insert("r")
    let event = try #require(try await harness.playlists.handle(Self.cases[1].message).first?.json)
    #expect(event["totals"] == ["pages": 1, "items": 50, "units": 2])
  }

  @Test func aWorkerThatStopsDoesNotEndTheRequest() async throws {
    let harness = StageHarness(ScriptedTransport([]), gate: Gate())
    let task = Task { () -> StageFailure? in
      do throws(StageFailure) {
        _ = try await harness.playlists.handle(Self.cases[1].message)
        return nil
      } catch { return error }
    }
    await harness.gate.arrivals.wait(forCount: 1)
    task.cancel()
    #expect(await task.value == .cancelled)
  }
}

private enum ISO8601 {
  static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}

extension StageHarness {
  func stage(_ name: StageName) -> any Stage {
    switch name {
    case .search: search
    case .channels: channels
    case .playlists: playlists
    default: videos
    }
  }
}
