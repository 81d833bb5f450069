import FoundationEssentials
import JSON
import Messages
import Pipeline
import Stages
import Synchronization
import TestSupport
import YouTubeAPI

/// The stages over a scripted API, at a fixed time.
struct StageHarness: Sendable {
  static let now = Date(timeIntervalSince1970: 1_796_000_000)

  let transport: ScriptedTransport
  let client: YouTubeClient
  let cancelled = CancelledRequests()
  let gate: RecordingCallGate
  let context: StageContext

  init(_ steps: ScriptedTransport.Step...) { self.init(ScriptedTransport(steps)) }

  init(_ transport: ScriptedTransport, gate: Gate = Gate(isOpen: true), expiry: Gate = Gate()) {
    self.transport = transport
    self.gate = RecordingCallGate(gate)
    // Time stands still; a request expires when the test opens the gate.
    let passed = Elapsed()
    context = StageContext(
      cancelled: cancelled, now: { StageHarness.now.addingTimeInterval(passed.value) },
      sleep: { seconds in
        guard (try? await expiry.pass()) != nil else { return }
        passed.value = seconds
      })
    client = YouTubeClient(
      configuration: ClientConfiguration(apiKey: Secret("key")), transport: transport, gate: self.gate, retry: ImmediateCallRetry())
  }

  var channels: ChannelsStage {
    ChannelsStage(client: client, batcher: ChannelBatcher(client: client, linger: .zero, sleep: { _ in }), context: context)
  }
  var playlists: PlaylistsStage { PlaylistsStage(client: client, context: context) }
  var videos: VideosStage { VideosStage(client: client, context: context) }

  /// Why the stage rejects the message; `nil` when it does not.
  static func rejection(of message: ReceivedMessage, by stage: any Stage) async -> Rejection? {
    do throws(StageFailure) { _ = try await stage.handle(message) } catch {
      if case .reject(let rejection) = error { return rejection }
    }
    return nil
  }

  static func message(_ topic: Topic, _ text: String?, headers: [MessageHeader] = []) -> ReceivedMessage {
    ReceivedMessage(
      source: TopicPartition(topic: "p." + topic.name, partition: 2), offset: 7, key: nil, value: text.map { Array($0.utf8) },
      headers: headers)
  }

  static func message(_ payload: some Payload) -> ReceivedMessage {
    message(type(of: payload).topic, String(decoding: payload.bytes, as: UTF8.self))
  }

  static func error(_ status: Int, _ reason: String) -> ScriptedTransport.Step {
    .json(#"{"error":{"code":\#(status),"message":"m","errors":[{"message":"m","domain":"d","reason":"\#(reason)"}]}}"#, status: status)
  }

  static func channel(id: String = "UCK8sQmJBp8GCxrOtXWBpyEA", uploads: String? = "UUK8sQmJBp8GCxrOtXWBpyEA") -> ScriptedTransport.Step {
    let lists = uploads.map { #""contentDetails":{"relatedPlaylists":{"uploads":"\#($0)"}},"# } ?? ""
    return .json(
      #"{"kind":"youtube#channelListResponse","items":[{"id":"\#(id)",\#(lists)"snippet":{"title":"Google","customUrl":"@google"},"#
        + #""statistics":{"viewCount":"8706674678","videoCount":"1636"}}]}"#)
  }

  static let noChannel = ScriptedTransport.Step.json(#"{"kind":"youtube#channelListResponse"}"#)

  /// A page of items v<from>…; `odd` puts an item without id in front.
  static func page(
    from: Int = 0, count: Int, token: String? = nil, total: Int = 1636, odd: Bool = false, date: String = "2026-01-01T00:00:00Z"
  )
    -> ScriptedTransport.Step
  {
    let items = (from..<from + count).map {
      #"{"snippet":{"title":"T\#($0)","position":\#($0),"publishedAt":"2026-02-01T00:00:00Z","videoOwnerChannelId":"UCx"},"#
        + #""contentDetails":{"videoId":"v\#($0)","videoPublishedAt":"\#(date)"},"status":{"privacyStatus":"public"}}"#
    }
    let all = (odd ? [#"{"snippet":{"title":"odd"}}"#] : []) + items
    let next = token.map { #""nextPageToken":"\#($0)","# } ?? ""
    return .json(
      #"{"kind":"youtube#playlistItemListResponse",\#(next)"pageInfo":{"totalResults":\#(total)},"items":[\#(all.joined(separator: ","))]}"#
    )
  }

  static func videoList(_ ids: [String], status: String = "public") -> ScriptedTransport.Step {
    let items = ids.map {
      #"{"id":"\#($0)","snippet":{"title":"Full \#($0)","publishedAt":"2015-06-25T01:50:54Z","channelId":"UCx"},"#
        + #""contentDetails":{"duration":"PT1M3S"},"statistics":{"viewCount":"5"},"status":{"privacyStatus":"\#(status)"}}"#
    }
    return .json(#"{"kind":"youtube#videoListResponse","items":[\#(items.joined(separator: ","))]}"#)
  }
}

private final class Elapsed: Sendable {
  private let seconds = Mutex(0.0)

  var value: Double {
    get { seconds.withLock { $0 } }
    set { seconds.withLock { $0 = newValue } }
  }
}

extension OutgoingMessage {
  var json: JSONTree { (try? JSONTree.parse(value ?? [])) ?? .null }
  var event: String? { topic == .requestEvents ? json["type"]?.string : nil }
}

extension [OutgoingMessage] {
  var topics: [Topic] { map(\.topic) }
  var events: [String] { compactMap(\.event) }
  var terminalEvents: [String] { events.filter { RequestEvent.Kind(rawValue: $0)?.isTerminal == true } }
  subscript(_ topic: Topic) -> [JSONTree] { filter { $0.topic == topic }.map(\.json) }
}
