import JSON
import Messages
import Pipeline
import TestSupport
import Testing

@testable import Stages

@Suite("ChannelsStage", .timeLimit(.minutes(1)))
struct ChannelsStageTests {
  private func handle(_ text: String?, _ steps: ScriptedTransport.Step...) async throws(StageFailure) -> [OutgoingMessage] {
    try await StageHarness(ScriptedTransport(steps)).channels.handle(StageHarness.message(.channelRequests, text))
  }

  @Test func aCallThatTheAPIRefusesIsCounted() async throws {
    let harness = StageHarness(StageHarness.error(400, "invalidParameter"))
    let message = StageHarness.message(.channelRequests, "@Google")
    let rejection = try #require(await StageHarness.rejection(of: message, by: harness.channels))
    let farewell = harness.channels.farewell(to: message, because: rejection)
    #expect(farewell.events == ["rejected"] && farewell[0].json["totals"] == ["pages": 0, "items": 0, "units": 1])
  }

  @Test(arguments: [
    ("@Google", "handle", 1), ("UCK8sQmJBp8GCxrOtXWBpyEA", "id", 1), ("https://www.youtube.com/user/Google", "username", 1),
    ("Google", "handle", 1), (#"{"handle":"Google"}"#, "handle", 1), (#"{"id":"UCK8sQmJBp8GCxrOtXWBpyEA"}"#, "id", 1),
  ])
  func aReferenceBecomesDetails(text: String, resolvedBy: String, units: Int) async throws {
    let outputs = try await handle(text, StageHarness.channel())
    #expect(outputs.topics == [.channelDetails, .requestEvents])
    #expect(outputs.events == ["resolved"])
    let details = outputs[0].json
    #expect(details["resolvedBy"] == .string(resolvedBy))
    #expect(details["channelId"] == "UCK8sQmJBp8GCxrOtXWBpyEA")
    #expect(details["uploadsPlaylistId"] == "UUK8sQmJBp8GCxrOtXWBpyEA")
    #expect(details["requestId"] == "p.channel-requests-2-7")
    #expect(details["totals"]?["units"] == .int(units))
    #expect(details["statistics"]?["viewCount"] == 8_706_674_678)
    #expect(outputs[1].json["videoCount"] == 1636)
  }

  @Test func aBareNameIsTriedAsUsernameAfterTheHandle() async throws {
    let outputs = try await handle("Google", StageHarness.noChannel, StageHarness.channel())
    #expect(outputs[0].json["resolvedBy"] == "username")
    #expect(outputs[0].json["totals"]?["units"] == 2)
  }

  @Test func whatIsNotFoundIsAResultWithItsCosts() async throws {
    let outputs = try await handle(#"{"requestId":"r-1","channel":"Nobody"}"#, StageHarness.noChannel, StageHarness.noChannel)
    #expect(outputs.events == ["notFound"])
    #expect(outputs[0].json["reference"] == "Nobody")
    #expect(outputs[0].json["requestId"] == "r-1")
    #expect(outputs[0].json["totals"]?["units"] == 2)
  }

  @Test func theScopeDetailsEndsTheRequestHere() async throws {
    let outputs = try await handle(#"{"channel":"@Google","scope":"details"}"#, StageHarness.channel())
    #expect(outputs.events == ["resolved", "completed"])
    let next = try await StageHarness().playlists.handle(
      StageHarness.message(.channelDetails, String(decoding: outputs[0].value ?? [], as: UTF8.self)))
    #expect(next.isEmpty)
  }

  @Test func oneVideoIsAPageOfOneEntryWithoutACall() async throws {
    let outputs = try await handle(#"{"video":"BVGKskYZrw8","scope":"video"}"#)
    #expect(outputs.topics == [.playlistPages])
    let page = outputs[0].json
    #expect(page["source"] == "video")
    #expect(page["last"] == true)
    #expect(page["items"]?.elements?.count == 1)
  }

  @Test func theScopeVideoOfAChannelIsRefused() async {
    await #expect(throws: StageFailure.self) { try await handle(#"{"channel":"@Google","scope":"video"}"#, StageHarness.channel()) }
  }

  @Test func aPlaylistIsHandedToThePlaylistsStageWithItsOptions() async throws {
    let outputs = try await handle(#"{"playlist":"PLx","maxVideos":3,"enrich":false}"#)
    #expect(outputs.topics == [.playlistRequests])
    #expect(outputs[0].json["source"] == "playlist")
    #expect(outputs[0].json["options"]?["maxVideos"] == 3)
    #expect(outputs[0].json["options"]?["enrich"] == false)
  }

  @Test func anExpiredRequestCostsNothing() async throws {
    let outputs = try await handle(#"{"channel":"@Google","expiresAt":"2020-01-01T00:00:00Z"}"#)
    #expect(outputs.events == ["expired"])
  }

  @Test(arguments: [
    (nil, DeadLetterCode.tombstone), ("", .emptyMessage), ("  \n", .emptyMessage), ("{", .invalidJSON), ("{}", .invalidRequest),
    (#"{"channel":""}"#, .invalidRequest), ("a b", .unknownReference), (#"{"url":"https://example.com/x"}"#, .unknownReference),
    (#"{"channel":"@a","handle":"b"}"#, .invalidRequest), (#"{"channel":"@a","scope":"all"}"#, .invalidRequest),
  ])
  func unusableRequestsAreRejectedWithOneTerminalEvent(text: String?, code: DeadLetterCode) async throws {
    let stage = StageHarness().channels
    let message = StageHarness.message(.channelRequests, text)
    do {
      _ = try await stage.handle(message)
      Issue.record("accepted")
    } catch StageFailure.reject(let rejection) {
      #expect(rejection.code == code)
      let farewell = stage.farewell(to: message, because: rejection)
      #expect(farewell.terminalEvents == ["rejected"])
      #expect(farewell[0].json["error"]?["code"] == .string(code.rawValue))
      #expect(farewell[0].json["requestId"] == "p.channel-requests-2-7")
    }
  }

  @Test func anUnusableRequestKeepsItsOwnRequestID() {
    let message = StageHarness.message(.channelRequests, #"{"requestId":"mine","scope":7}"#)
    let farewell = StageHarness().channels.farewell(to: message, because: Rejection(.invalidRequest, "x", requestID: "mine"))
    #expect(farewell[0].json["requestId"] == "mine")
    #expect(String(decoding: farewell[0].key ?? [], as: UTF8.self) == "mine")
  }

  @Test(arguments: [(DeadLetterCode.attemptsExhausted, "failed"), (.messageTooLarge, "failed"), (.unknownReference, "rejected")])
  func whoseFaultItIsDecidesTheTerminalEvent(code: DeadLetterCode, event: String) {
    let farewell = StageHarness().channels.farewell(to: StageHarness.message(.channelRequests, "@Google"), because: Rejection(code, "x"))
    #expect(farewell.events == [event])
  }

  @Test(arguments: [(400, "keyInvalid"), (403, "accessNotConfigured")]) func aWrongKeyStopsTheStage(status: Int, reason: String) async {
    do {
      _ = try await handle("@Google", StageHarness.error(status, reason))
      Issue.record("went on")
    } catch StageFailure.stop(let fix) { #expect(!fix.isEmpty) } catch { Issue.record("\(error)") }
  }

  @Test func serverErrorsAreRetried() async {
    let trouble = StageHarness.error(503, "backendError")
    do {
      _ = try await handle("@Google", trouble, trouble, trouble)
      Issue.record("went on")
    } catch StageFailure.retry(_, let rejection) { #expect(rejection.code == .attemptsExhausted) } catch { Issue.record("\(error)") }
  }
}
