import Synchronization
import Telemetry
import TestSupport
import Testing
import YouTubeAPI

@Suite("Spans of API calls", .timeLimit(.minutes(1)))
struct CallSpanTests {
  final class Sink: SpanSink {
    private let state = Mutex<[Span]>([])
    var spans: [Span] { state.withLock { $0 } }
    func record(_ span: Span) { state.withLock { $0.append(span) } }
  }

  private func value(_ span: Span, _ name: String) -> Span.Value? { span.attributes.first { $0.name == name }?.value }

  @Test(arguments: ClientConfiguration.KeyPlacement.allCases)
  func theKeyIsInNoSpan(placement: ClientConfiguration.KeyPlacement) async throws {
    let sink = Sink()
    let bench = YouTubeClientTests.Bench([YouTubeClientTests.empty], tracer: Tracer(sink: sink)) {
      $0.keyPlacement = placement
      $0.baseURL = "http://127.0.0.1:8080/base"
    }
    var random = RandomSource()
    let parent = TraceContext.root(using: &random)
    _ = try await TraceContext.$current.withValue(parent) { try await bench.client.videos(ids: ["BVGKskYZrw8"]) }
    let span = try #require(sink.spans.first)
    #expect(!"\(span)".contains("TOP-SECRET"))
    #expect(span.kind == .client && span.name == "GET /youtube/v3/videos" && span.parent == parent && span.error == nil)
    #expect(value(span, "server.address") == "127.0.0.1" && value(span, "server.port") == 8080)
    #expect(value(span, "http.response.status_code") == 200 && value(span, "http.request.method") == "GET")
    let address = "\(try #require(value(span, "url.full")))"
    #expect(address.contains("http://127.0.0.1:8080/base/youtube/v3/videos?") && address.contains("id=BVGKskYZrw8"))
    #expect(address.contains("key=REDACTED") == (placement == .query))
    #expect(bench.transport.requests.first?.header("traceparent") == span.context.traceparent)
  }

  @Test func everyAttemptIsASpanAndFailuresAreTold() async throws {
    let sink = Sink()
    let bench = YouTubeClientTests.Bench(
      [YouTubeClientTests.error(503, "backendError"), YouTubeClientTests.empty], tracer: Tracer(sink: sink))
    _ = try await bench.client.videos(ids: ["BVGKskYZrw8"])
    #expect(sink.spans.map { value($0, "http.response.status_code") } == [503, 200])
    #expect(sink.spans.map { value($0, "http.request.resend_count") } == [nil, 1])
    #expect(sink.spans[0].error?.type == "503" && value(sink.spans[0], "error.type") == "503")
    #expect(value(sink.spans[0], "server.port") == 443)
    #expect(!"\(sink.spans)".contains("TOP-SECRET"))
  }

  @Test func withoutTracingTheAPIHearsOfNone() async throws {
    let bench = YouTubeClientTests.Bench([YouTubeClientTests.empty])
    _ = try await bench.client.videos(ids: ["BVGKskYZrw8"])
    #expect(bench.transport.requests.first?.header("traceparent") == nil)
  }
}
