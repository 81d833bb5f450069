import FoundationEssentials
import Synchronization
import Telemetry
import Testing

@Suite("Tracer", .timeLimit(.minutes(1)))
struct TracerTests {
  final class Sink: SpanSink {
    private let state = Mutex<[Span]>([])
    var spans: [Span] { state.withLock { $0 } }
    func record(_ span: Span) { state.withLock { $0.append(span) } }
  }

  static let parent = TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
  static let unsampled = TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")

  @Test func aSpanHasItsParentsTraceAndItsOwnID() throws {
    let sink = Sink()
    let tracer = Tracer(sink: sink)
    let span = try #require(tracer.begin("work", .consumer, parent: Self.parent))
    #expect(sink.spans.isEmpty)
    tracer.end(span, [Span.Attribute("a", 1)], error: Span.Failure(type: "odd", message: "It is odd."))
    let ended = try #require(sink.spans.first)
    #expect(ended.context.traceID == Self.parent?.traceID && ended.context.spanID != Self.parent?.spanID)
    #expect(ended.parent == Self.parent && ended.end >= ended.start)
    #expect(ended.attributes == [Span.Attribute("a", 1), Span.Attribute("error.type", "odd")])
  }

  @Test func aTaskKnowsItsSpan() throws {
    let sink = Sink()
    let tracer = Tracer(sink: sink)
    let span = try #require(tracer.begin("outer", .internal, parent: nil))
    TraceContext.$current.withValue(span.context) {
      tracer.end(tracer.begin("inner", .client))
      tracer.record("waited", .internal, lasting: .seconds(2))
    }
    #expect(sink.spans.map(\.parent) == [span.context, span.context])
    #expect(abs(sink.spans[1].end.timeIntervalSince(sink.spans[1].start) - 2) < 0.01)
  }

  @Test func offMeansNoSpans() {
    #expect(Tracer.off.begin("work", .internal, parent: Self.parent) == nil)
    Tracer.off.end(nil)
  }

  @Test func whatIsNotSampledIsHandedOnButNotRecorded() throws {
    let sink = Sink()
    let tracer = Tracer(sink: sink)
    let span = try #require(tracer.begin("work", .internal, parent: Self.unsampled))
    #expect(!span.context.isSampled && span.context.traceID == Self.unsampled?.traceID)
    tracer.end(span)
    #expect(sink.spans.isEmpty)
  }

  static let low = "4bf92f3577b34da6a300000000000001"
  static let high = "4bf92f3577b34da6a3ffffffffffffff"

  @Test(arguments: [
    (TraceSampler.alwaysOn, low, false as Bool?, true), (.alwaysOff, low, true, false), (.ratio(0.5), low, nil, true),
    (.ratio(0.5), high, true, false), (.ratio(0), low, nil, false), (.ratio(1), high, nil, true),
    (.parentBased(.alwaysOff), low, true, true), (.parentBased(.alwaysOn), low, false, false),
    (.parentBased(.alwaysOff), low, nil, false), (.parentBased(.ratio(0.5)), high, nil, false),
    (.parentBased(.ratio(0.5)), high, true, true),
  ])
  func samplersDecideAsSpecified(sampler: TraceSampler, traceID: String, parent: Bool?, isSampled: Bool) {
    #expect(sampler.samples(traceID: traceID, parent: parent) == isSampled)
  }

  @Test func aShareOfTracesIsThatShare() {
    var random = RandomSource()
    let sampled = (0..<4000).count { _ in
      TraceSampler.ratio(0.25).samples(traceID: TraceContext.root(using: &random).traceID, parent: nil)
    }
    #expect((800...1200).contains(sampled), "\(sampled)")
  }
}
