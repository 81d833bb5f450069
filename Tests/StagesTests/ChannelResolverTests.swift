import JSON
import Messages
import Pipeline
import TestSupport
import Testing

@testable import Stages

/// How the channels stage leads names to channels, request by request.
@Suite("ChannelResolver", .timeLimit(.minutes(1)))
struct ChannelResolverTests {
  private struct Result {
    let outputs: [OutgoingMessage]
    /// Each call as its method's path and the parameter that decides: `channels forHandle=@google`.
    let calls: [String]
  }

  private func handle(_ request: String, _ steps: ScriptedTransport.Step...) async throws -> Result {
    let harness = StageHarness(ScriptedTransport(steps))
    let outputs = try await harness.channels.handle(StageHarness.message(.channelRequests, request))
    let calls = harness.transport.requests.map { request in
      let decisive = ["forHandle", "forUsername", "id", "q"].compactMap { name in request.parameter(name).map { "\(name)=\($0)" } }
      return ([String(request.path.split(separator: "/").last ?? "")] + decisive).joined(separator: " ")
    }
    return Result(outputs: outputs, calls: calls)
  }

  private func hits(_ ids: String...) -> ScriptedTransport.Step {
    .json(#"{"kind":"youtube#searchListResponse","items":[\#(ids.joined(separator: ","))]}"#)
  }

  private let channelHit = #"{"id":{"kind":"youtube#channel","channelId":"UCK8sQmJBp8GCxrOtXWBpyEA"},"snippet":{"title":"Google"}}"#
  private let videoHit = #"{"id":{"kind":"youtube#video","videoId":"BVGKskYZrw8"}}"#

  @Test(arguments: ["https://www.youtube.com/c/Google", "youtube.com/c/Google/videos", "https://youtube.com/Google", "Google"])
  func aNameIsFirstTakenForAHandle(text: String) async throws {
    let result = try await handle(text, StageHarness.channel())
    #expect(result.calls == ["channels forHandle=@google"])
    #expect(result.outputs[0].json["resolvedBy"] == "handle")
    #expect(result.outputs[0].json["totals"]?["units"] == 1)
    #expect(result.outputs[0].json["reference"] == .string(text))
  }

  @Test(arguments: ["https://youtube.com/Google", "Google"])
  func aBareNameIsThenAUserNameWhoeverHasIt(text: String) async throws {
    let stranger = StageHarness.channel(id: "UCxxxxxxxxxxxxxxxxxxxxxx")
    let result = try await handle(text, StageHarness.noChannel, stranger)
    #expect(result.calls == ["channels forHandle=@google", "channels forUsername=google"])
    #expect(result.outputs[0].json["resolvedBy"] == "username")
    #expect(result.outputs[0].json["channelId"] == "UCxxxxxxxxxxxxxxxxxxxxxx")
    #expect(result.outputs[0].json["totals"]?["units"] == 2)
  }

  @Test func aCustomNameIsAUserNameOnlyWhenTheChannelCallsItItsOwn() async throws {
    let own = try await handle("youtube.com/c/GOOGLE", StageHarness.noChannel, StageHarness.channel())
    #expect(own.outputs.events == ["resolved"])
    #expect(own.outputs[0].json["resolvedBy"] == "username")
    #expect(own.outputs[0].json["totals"]?["units"] == 2)
    // The answer's customUrl is @google.
    let stranger = try await handle("youtube.com/c/skate702", StageHarness.noChannel, StageHarness.channel())
    #expect(stranger.calls == ["channels forHandle=@skate702", "channels forUsername=skate702"])
    #expect(stranger.outputs.events == ["notFound"])
    #expect(stranger.outputs[0].json["totals"]?["units"] == 2)
  }

  @Test(arguments: ["youtube.com/c/Nobody", "youtube.com/Nobody", "Nobody"])
  func aNameThatNobodyHasCostsNoSearchUnlessTheRequestAllowsIt(text: String) async throws {
    let silent = try await handle(text, StageHarness.noChannel, StageHarness.noChannel)
    #expect(silent.outputs.events == ["notFound"])
    #expect(silent.calls.count == 2)
    let searched = try await handle(
      #"{"channel":"\#(text)","allowSearch":true}"#, StageHarness.noChannel, StageHarness.noChannel, hits(videoHit, channelHit),
      StageHarness.channel())
    #expect(searched.calls.suffix(2) == ["search q=Nobody", "channels id=UCK8sQmJBp8GCxrOtXWBpyEA"])
    #expect(searched.outputs.events == ["resolved"])
    #expect(searched.outputs[0].json["resolvedBy"] == "search")
    #expect(searched.outputs[0].json["totals"] == ["pages": 0, "items": 0, "units": 3, "searches": 1])
  }

  @Test func textWithBlanksIsSearchedForAtOnce() async throws {
    let request = #"{"channel":"Google for Developers","allowSearch":true}"#
    let found = try await handle(request, hits(channelHit), StageHarness.channel())
    #expect(found.calls == ["search q=Google for Developers", "channels id=UCK8sQmJBp8GCxrOtXWBpyEA"])
    #expect(found.outputs[0].json["totals"] == ["pages": 0, "items": 0, "units": 1, "searches": 1])
    for nothing in [hits(), hits(videoHit)] {
      let missing = try await handle(request, nothing)
      #expect(missing.outputs.events == ["notFound"])
      #expect(missing.outputs[0].json["totals"] == ["pages": 0, "items": 0, "units": 0, "searches": 1])
    }
  }

  @Test func anIdThatNobodyHasIsNeverSearchedFor() async throws {
    let result = try await handle(#"{"id":"UCK8sQmJBp8GCxrOtXWBpyEA","allowSearch":true}"#, StageHarness.noChannel)
    #expect(result.outputs.events == ["notFound"])
    #expect(result.calls == ["channels id=UCK8sQmJBp8GCxrOtXWBpyEA"])
  }
}
