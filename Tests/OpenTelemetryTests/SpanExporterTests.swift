import FoundationEssentials
import JSON
import Synchronization
import Telemetry
import TestSupport
import Testing

@testable import OpenTelemetry

@Suite("Span exporter", .timeLimit(.minutes(1)))
struct SpanExporterTests {
  /// Answers one after the other; the last one for ever.
  final class Collector: OTLPTransport {
    private let answers: Mutex<[OTLPAnswer]>
    let bodies = EventLog<JSONTree>()

    init(_ answers: OTLPAnswer...) { self.answers = Mutex(answers) }

    func post(_ body: [UInt8]) async -> OTLPAnswer {
      if let tree = try? JSONTree.parse(body) { bodies.append(tree) }
      return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .none("no answer") }
    }

    var spans: [[JSONTree]] {
      bodies.events.map { body in
        guard case .array(let spans)? = body["resourceSpans"]?[0]?["scopeSpans"]?[0]?["spans"] else { return [] }
        return spans
      }
    }
  }

  static let ok = OTLPAnswer.status(200, retryAfter: nil, body: Array("{}".utf8))

  private func span(_ name: String = "s") -> Span {
    var random = RandomSource()
    let parent = TraceContext.root(using: &random)
    return Span(
      name, .client, context: parent.child(using: &random), parent: parent, start: Date(timeIntervalSince1970: 1_800_000_000.25),
      end: Date(timeIntervalSince1970: 1_800_000_001),
      attributes: [Span.Attribute("text", "t"), Span.Attribute("number", 7), Span.Attribute("truth", true)])
  }

  private func exporter(
    _ collector: Collector, clock: ManualClock = ManualClock(), metrics: Metrics = Metrics(),
    _ change: (inout SpanExporter.Limits) -> Void = { _ in }
  ) -> SpanExporter {
    var limits = SpanExporter.Limits()
    change(&limits)
    return SpanExporter(
      resource: [Span.Attribute("service.name", "x")], transport: collector, limits: limits, clock: clock, metrics: metrics)
  }

  @Test func theBodyIsOTLPsJSON() async throws {
    let collector = Collector(Self.ok)
    let exporter = exporter(collector)
    let span = span()
    exporter.record(span)
    await exporter.close(within: .seconds(1))
    let sent = try #require(collector.spans.first?.first)
    #expect(sent["traceId"]?.string == span.context.traceID && sent["spanId"]?.string == span.context.spanID)
    #expect(sent["parentSpanId"]?.string == span.parent?.spanID && sent["kind"] == 3)
    #expect(sent["startTimeUnixNano"] == "1800000000250000000" && sent["endTimeUnixNano"] == "1800000001000000000")
    #expect(sent["attributes"]?[0] == ["key": "text", "value": ["stringValue": "t"]])
    #expect(sent["attributes"]?[1] == ["key": "number", "value": ["intValue": "7"]])
    #expect(sent["attributes"]?[2] == ["key": "truth", "value": ["boolValue": true]])
    let resource = collector.bodies.events[0]["resourceSpans"]?[0]?["resource"]?["attributes"]?[0]
    #expect(resource == ["key": "service.name", "value": ["stringValue": "x"]])
  }

  @Test func aFullBatchLeavesAtOnceAndTheRestWithTheTimer() async {
    let clock = ManualClock()
    let collector = Collector(Self.ok)
    let exporter = exporter(collector, clock: clock) { $0.batch = 3 }
    let running = Task { await exporter.run() }
    await clock.waitUntilSleepers(1)
    for _ in 0..<4 { exporter.record(span()) }
    await collector.bodies.wait(forCount: 1)
    await clock.waitUntilSleepers(1)
    clock.advance(by: .seconds(5))
    await collector.bodies.wait(forCount: 2)
    #expect(collector.spans.map(\.count).reduce(0, +) == 4)
    await exporter.close(within: .seconds(1))
    await running.value
  }

  @Test func memoryIsBoundedWhileTheCollectorIsAway() async {
    let metrics = Metrics()
    let collector = Collector(.none("refused"))
    let exporter = exporter(collector, metrics: metrics) { $0.queue = 10 }
    for _ in 0..<25 { exporter.record(span()) }
    #expect(metrics.value("tubeline_trace_spans_dropped_total") == 15)
    await exporter.close(within: .seconds(1))
    #expect(metrics.value("tubeline_trace_spans_dropped_total") == 25)
    #expect(metrics.value("tubeline_trace_spans_exported_total") == 0)
    exporter.record(span())
    #expect(metrics.value("tubeline_trace_spans_dropped_total") == 26)
  }

  @Test func aBatchIsKeptUntilTheCollectorIsBack() async {
    let clock = ManualClock()
    let metrics = Metrics()
    let collector = Collector(.none("refused"), .status(503, retryAfter: .seconds(3), body: []), Self.ok)
    let exporter = exporter(collector, clock: clock, metrics: metrics) { $0.batch = 1 }
    let running = Task { await exporter.run() }
    await clock.waitUntilSleepers(1)
    exporter.record(span())
    while metrics.value("tubeline_trace_spans_exported_total") != 1 {
      await Task.yield()
      if clock.sleepers > 1 { clock.advance(by: .seconds(1)) }
    }
    #expect(collector.spans.map(\.count) == [1, 1, 1])
    #expect(metrics.value("tubeline_trace_spans_dropped_total") == 0)
    await exporter.close(within: .seconds(1))
    await running.value
  }

  static let reactions: [(OTLPAnswer, SpanExporter.Reaction)] = [
    (.status(200, retryAfter: nil, body: []), .taken(rejected: 0, "")),
    (
      .status(200, retryAfter: nil, body: Array(#"{"partialSuccess":{"rejectedSpans":"2","errorMessage":"no"}}"#.utf8)),
      .taken(rejected: 2, "no")
    ),
    (
      .status(200, retryAfter: nil, body: Array(#"{"partialSuccess":{"rejectedSpans":-2}}"#.utf8)),
      .taken(rejected: 0, "the collector rejected them")
    ),
    (.status(429, retryAfter: .seconds(2), body: []), .away("status 429", retryAfter: .seconds(2))),
    (.status(503, retryAfter: nil, body: []), .away("status 503", retryAfter: nil)),
    (.status(400, retryAfter: nil, body: []), .refused("status 400")), (.status(500, retryAfter: nil, body: []), .refused("status 500")),
    (.status(301, retryAfter: nil, body: []), .refused("status 301")), (.none("x"), .away("x", retryAfter: nil)),
  ]

  @Test(arguments: reactions)
  func answersMeanWhatTheSpecificationSays(answer: OTLPAnswer, reaction: SpanExporter.Reaction) {
    #expect(SpanExporter.reaction(to: answer) == reaction)
  }

  @Test func aRefusedBatchIsDroppedAndTheNextOneSent() async {
    let metrics = Metrics()
    let collector = Collector(.status(400, retryAfter: nil, body: []), Self.ok)
    let exporter = exporter(collector, metrics: metrics) { $0.batch = 2 }
    for _ in 0..<4 { exporter.record(span()) }
    await exporter.close(within: .seconds(1))
    #expect(metrics.value("tubeline_trace_spans_dropped_total") == 2 && metrics.value("tubeline_trace_spans_exported_total") == 2)
  }
}

extension JSONTree {
  fileprivate subscript(_ index: Int) -> JSONTree? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}
