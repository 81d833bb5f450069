public import FoundationEssentials

/// Makes spans, and hands those of sampled traces to a sink when they end. Off, it makes none, and costs nothing.
public struct Tracer: Sendable {
  private let sink: (any SpanSink)?
  private let sampler: TraceSampler
  private let now: @Sendable () -> Date

  public static let off = Tracer(sink: nil)

  public init(
    sink: (any SpanSink)?, sampler: TraceSampler = .parentBased(.alwaysOn), now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.sink = sink
    self.sampler = sampler
    self.now = now
  }

  public var isOn: Bool { sink != nil }

  /// A span that begins now; `nil` while tracing is off. Also one that is not sampled has a context to hand on.
  public func begin(_ name: @autoclosure () -> String, _ kind: Span.Kind, parent: TraceContext? = TraceContext.current) -> Span? {
    guard sink != nil else { return nil }
    var random = RandomSource()
    let context: TraceContext
    if let parent {
      let child = parent.child(using: &random)
      context = child.sampled(sampler.samples(traceID: child.traceID, parent: parent.isSampled))
    } else {
      let root = TraceContext.root(using: &random)
      context = root.sampled(sampler.samples(traceID: root.traceID, parent: nil))
    }
    return Span(name(), kind, context: context, parent: parent, start: now())
  }

  /// Ends a span that `begin` made.
  public func end(_ span: Span?, _ attributes: @autoclosure () -> [Span.Attribute] = [], error: Span.Failure? = nil) {
    guard let sink, var span, span.context.isSampled else { return }
    span.end = now()
    span.attributes += attributes()
    span.error = error
    if let error { span.attributes.append(Span.Attribute("error.type", .string(error.type))) }
    sink.record(span)
  }

  /// Records a span whose begin and end are known, below the present one.
  public func record(
    _ name: @autoclosure () -> String, _ kind: Span.Kind, lasting duration: Duration,
    _ attributes: @autoclosure () -> [Span.Attribute] = []
  ) {
    guard let sink, let parent = TraceContext.current, parent.isSampled else { return }
    var random = RandomSource()
    let end = now()
    let start = end.addingTimeInterval(-duration.seconds)
    sink.record(Span(name(), kind, context: parent.child(using: &random), parent: parent, start: start, end: end, attributes: attributes()))
  }

  /// Records a span whose context has been handed on already.
  public func record(_ span: @autoclosure () -> Span, in context: TraceContext) {
    guard let sink, context.isSampled else { return }
    sink.record(span())
  }
}
