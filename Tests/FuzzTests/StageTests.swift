import Foundation
import JSON
import Messages
import Monitoring
import Pipeline
import Stages
import TestSupport
import Testing

@testable import YouTubeAPI

@Suite("Fuzz: stages", .timeLimit(.minutes(60)))
struct StageFuzzTests {
  private static let share = 0.25

  private func answer(_ method: APIMethod, _ random: inout Mutator) -> ScriptedTransport.Step {
    if random.chance(5) { return .fail(TransportError(.other, random.text())) }
    let isGood = random.chance(80)
    let status = isGood ? 200 : random.pick([200, 400, 403, 404, 429, 500])
    let tree = isGood ? APIFuzzTests.answer(method, &random) : APIFuzzTests.failure(&random)
    let bytes = random.chance(50) ? tree.bytes() : random.mutated(tree)
    return .answer(HTTPResponse(status: status, headers: [HTTPField("Retry-After", "\(random.number())")], body: bytes))
  }

  private func client(_ methods: [APIMethod], _ random: inout Mutator) -> YouTubeClient {
    let steps = methods.map { answer($0, &random) }
    return YouTubeClient(
      configuration: ClientConfiguration(apiKey: Secret(APIFuzzTests.secret)), transport: ScriptedTransport(steps),
      gate: RecordingCallGate(), retry: ImmediateCallRetry())
  }

  private var context: StageContext {
    // Time stands still: a request that has not expired before never does.
    StageContext(now: { Date(timeIntervalSince1970: 1_796_000_000) }, sleep: { _ in try? await Gate().pass() })
  }

  private func message(_ topic: Topic, _ value: [UInt8]?, _ random: inout Mutator) -> ReceivedMessage {
    let headers = random.chance(30) ? HeaderFuzzTests.message(&random).headers : []
    return ReceivedMessage(
      source: TopicPartition(topic: "p." + topic.name, partition: 2), offset: 7, key: random.chance(50) ? random.bytes() : nil,
      value: value,
      headers: headers)
  }

  /// Whatever a stage makes of the message can be read by whoever comes next, and a message that is refused gets its farewell.
  private func check(_ stage: some Stage, _ message: ReceivedMessage) async throws {
    let outputs: [OutgoingMessage]
    do throws(StageFailure) { outputs = try await stage.handle(message) } catch {
      switch error {
      case .retry(_, let rejection), .reject(let rejection), .postpone(_, let rejection):
        try claimSentence(rejection.message, limit: 20_000)
        try claim(!rejection.message.contains(APIFuzzTests.secret), "the key is told: \(rejection)")
        for output in stage.farewell(to: message, because: rejection) { try read(output) }
      case .stop(let fix): try claimSentence(fix)
      case .cancelled: throw Broken(description: "cancelled by nobody")
      }
      return
    }
    for output in outputs { try read(output) }
  }

  private func read(_ output: OutgoingMessage) throws {
    let bytes = output.value ?? []
    do {
      let json = try JSONDocument.parse(bytes).root
      switch output.topic {
      case .channelRequests: _ = try ChannelRequest(value: bytes)
      case .searchContinuations: _ = try SearchContinuation(json: json)
      case .channelDetails: _ = try ChannelDetails(json: json)
      case .playlistRequests: _ = try PlaylistRequest(json: json)
      case .playlistPages: _ = try PlaylistPage(json: json)
      case .requestEvents: _ = try RequestEvent(json: json)
      case .videoRecords: try claim(json["videoId"]?.string?.isEmpty == false, "no videoId")
      default: throw Broken(description: "an output on \(output.topic)")
      }
    } catch {
      throw Broken(description: "\(error): the next stage cannot use \(output.topic) \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test func requestsForChannelsNeverFailOtherwiseThanAsAStageMay() async {
    await Fuzz.run(share: Self.share) { one in
      let tree = Sample.channelRequest(&one.random)
      let bytes: [UInt8]? = one.random.chance(3) ? nil : one.random.chance(60) ? tree.bytes() : one.random.mutated(tree)
      let message = self.message(.channelRequests, bytes.map { one.given($0) }, &one.random)
      let client = self.client([.channelsList, .channelsList, .videosList, .searchList, .channelsList], &one.random)
      let batcher = ChannelBatcher(client: client, linger: .zero, sleep: { _ in })
      try await self.check(ChannelsStage(client: client, batcher: batcher, context: self.context), message)
    }
  }

  @Test func searchesNeverFailOtherwiseThanAsAStageMay() async {
    await Fuzz.run(share: Self.share) { one in
      let isFirst = one.random.chance(60)
      let tree = isFirst ? Sample.searchRequest(&one.random) : Sample.searchContinuation(&one.random)
      let bytes: [UInt8]? = one.random.chance(3) ? nil : one.random.chance(60) ? tree.bytes() : one.random.mutated(tree)
      let message = self.message(isFirst ? .searchRequests : .searchContinuations, bytes.map { one.given($0) }, &one.random)
      let client = self.client([.searchList, .searchList], &one.random)
      try await self.check(SearchStage(client: client, context: self.context), message)
    }
  }

  @Test func listingsNeverFailOtherwiseThanAsAStageMay() async {
    await Fuzz.run(share: Self.share) { one in
      let isDetails = one.random.chance(50)
      let tree = isDetails ? Sample.channelDetails(&one.random) : Sample.playlistRequest(&one.random)
      let bytes: [UInt8]? = one.random.chance(3) ? nil : one.random.chance(60) ? tree.bytes() : one.random.mutated(tree)
      let message = self.message(isDetails ? .channelDetails : .playlistRequests, bytes.map { one.given($0) }, &one.random)
      let client = self.client([.playlistItemsList, .playlistItemsList], &one.random)
      try await self.check(PlaylistsStage(client: client, context: self.context), message)
    }
  }

  @Test func pagesNeverFailOtherwiseThanAsAStageMay() async {
    await Fuzz.run(share: Self.share) { one in
      let tree = Sample.playlistPage(&one.random)
      let bytes: [UInt8]? = one.random.chance(3) ? nil : one.random.chance(60) ? tree.bytes() : one.random.mutated(tree)
      let message = self.message(.playlistPages, bytes.map { one.given($0) }, &one.random)
      let client = self.client([.videosList, .videosList], &one.random)
      try await self.check(VideosStage(client: client, context: self.context), message)
    }
  }
}
