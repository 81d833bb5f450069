import JSON
import Messages
import Stages
import TestSupport
import YouTubeAPI

/// Searches over a scripted API.
enum SearchScene {
  static func hit(_ kind: String, _ id: String, title: String = "T") -> String {
    #"{"kind":"youtube#searchResult","id":{"kind":"youtube#\#(kind)","\#(kind)Id":"\#(id)"},"snippet":{"title":"\#(title)","#
      + #""publishedAt":"2026-01-01T00:00:00Z","channelId":"UCc","channelTitle":"C &amp; D","description":"d &lt;&#39;&gt;"}}"#
  }

  static func page(_ hits: [String], token: String? = nil) -> ScriptedTransport.Step {
    let next = token.map { #""nextPageToken":"\#($0)","# } ?? ""
    return .json(
      #"{"kind":"youtube#searchListResponse",\#(next)"pageInfo":{"totalResults":1000000},"items":[\#(hits.joined(separator: ","))]}"#)
  }

  static func videos(_ range: Range<Int>) -> [String] { range.map { hit("video", "v\($0)") } }

  static func request(_ members: String) -> ReceivedMessage {
    StageHarness.message(.searchRequests, #"{"requestId":"r","query":"swift kafka",\#(members)}"#)
  }

  /// The message that an output becomes for whoever reads it next.
  static func received(_ output: OutgoingMessage, offset: Int64 = 9) -> ReceivedMessage {
    ReceivedMessage(
      source: TopicPartition(topic: "p." + output.topic.name, partition: 1), offset: offset, key: output.key, value: output.value,
      headers: output.headers)
  }

  /// Handles a request and all its continuations; the outputs of all pages.
  static func run(_ message: ReceivedMessage, _ harness: StageHarness) async throws -> [OutgoingMessage] {
    var outputs: [OutgoingMessage] = []
    var next: ReceivedMessage? = message
    while let message = next {
      let step = try await harness.search.handle(message)
      outputs += step
      next = step.first { $0.topic == .searchContinuations }.map { received($0) }
    }
    return outputs
  }
}

extension StageHarness {
  var search: SearchStage { SearchStage(client: client, context: context) }
}

extension OutgoingMessage {
  var id: String? { headers[HeaderName.id] }
}
