import JSON
import Synchronization
public import Telemetry

/// Collects spans, and sends them to an OpenTelemetry collector in batches.
///
/// Recording never waits. While the collector is away one batch is tried again and again, and the spans beyond the queue's size are dropped
/// and counted: work goes on as if nothing were.
public final class SpanExporter: SpanSink {
  /// Limits and times of OpenTelemetry's batch processor.
  public struct Limits: Sendable, Equatable {
    public var queue = 2048
    public var batch = 512
    public var delay: Duration = .seconds(5)

    public init() {}
  }

  public static let exported = "tubeline_trace_spans_exported_total"
  public static let dropped = "tubeline_trace_spans_dropped_total"

  private let request: OTLPRequest
  private let transport: any OTLPTransport
  private let limits: Limits
  private let clock: any Clock<Duration>
  private let logger: Logger
  private let metrics: Metrics
  private let queue = Mutex(Queue())
  private let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  private struct Queue {
    var spans: [Span] = []
    var isClosed = false
  }

  public static func declare(in metrics: Metrics) {
    metrics.declare(.counter, exported, help: "Spans that the collector has taken.")
    metrics.declare(.counter, dropped, help: "Spans that were dropped: the collector was away or refused them.")
  }

  public init(
    resource: [Span.Attribute], transport: any OTLPTransport, limits: Limits = Limits(), clock: any Clock<Duration> = ContinuousClock(),
    logger: Logger = .silent, metrics: Metrics = Metrics()
  ) {
    request = OTLPRequest(resource: resource)
    self.transport = transport
    self.limits = limits
    self.clock = clock
    self.logger = logger
    self.metrics = metrics
    (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    Self.declare(in: metrics)
  }

  public func record(_ span: Span) {
    let (isTaken, isBatch) = queue.withLock { queue in
      guard queue.spans.count < limits.queue, !queue.isClosed else { return (false, false) }
      queue.spans.append(span)
      return (true, queue.spans.count == limits.batch)
    }
    if !isTaken { metrics.add(Self.dropped) }
    if isBatch { wake.yield() }
  }

  /// Sends what comes, until `close`.
  public func run() async {
    let timer = Task { [clock, wake, limits] in
      while (try? await clock.sleep(for: limits.delay)) != nil { wake.yield() }
    }
    for await _ in wakes { await send() }
    timer.cancel()
  }

  /// Sends what is left, for so long at most, and ends `run`.
  public func close(within limit: Duration) async {
    queue.withLock { $0.isClosed = true }
    wake.finish()
    let rest = Task { await send() }
    let timer = Task { [clock] in
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      rest.cancel()
    }
    await rest.value
    timer.cancel()
  }

  private func send() async {
    while !Task.isCancelled {
      let batch = queue.withLock { queue in
        let batch = Array(queue.spans.prefix(limits.batch))
        queue.spans.removeFirst(batch.count)
        return batch
      }
      if batch.isEmpty { return }
      await send(batch)
    }
  }

  private func send(_ batch: [Span]) async {
    let body = request.body(batch)
    var failures = 0
    while true {
      let answer = await transport.post(body)
      switch Self.reaction(to: answer) {
      case .taken(let rejected, let message):
        metrics.add(Self.exported, Double(batch.count - min(rejected, batch.count)))
        if rejected > 0 { drop(min(rejected, batch.count), message) }
        return
      case .refused(let reason): return drop(batch.count, reason)
      case .away(let reason, let retryAfter):
        if failures == 0 { logger.notice("The collector does not take spans; trying again", ["error": .string(reason)]) }
        failures += 1
        let isLast = queue.withLock { $0.isClosed }
        guard !isLast, !Task.isCancelled, await pause(failures, retryAfter) else { return drop(batch.count, reason) }
      }
    }
  }

  private func drop(_ count: Int, _ reason: String) {
    metrics.add(Self.dropped, Double(count))
    logger.warning("Spans were dropped", ["trace.spans": .int(count), "error": .string(reason)])
  }

  /// Returns false when the wait was cut off. A close ends it within a second.
  private func pause(_ failures: Int, _ retryAfter: Duration?) async -> Bool {
    let seconds = retryAfter?.seconds ?? min(30, 0.5 * Double(1 << min(failures, 8)) * .random(in: 0.75...1.25))
    for _ in 0..<max(1, Int(min(seconds, 60))) {
      guard (try? await clock.sleep(for: .seconds(1))) != nil else { return false }
      if queue.withLock({ $0.isClosed }) { return true }
    }
    return true
  }

  enum Reaction: Equatable {
    case taken(rejected: Int, String)
    case refused(String)
    case away(String, retryAfter: Duration?)
  }

  /// As OTLP over HTTP has it: 429, 502, 503 and 504 may be tried again, other errors may not.
  static func reaction(to answer: OTLPAnswer) -> Reaction {
    switch answer {
    case .none(let reason): return .away(reason, retryAfter: nil)
    case .status(let status, let retryAfter, _) where [429, 502, 503, 504].contains(status):
      return .away("status \(status)", retryAfter: retryAfter)
    case .status(let status, _, let body) where (200..<300).contains(status):
      guard let document = try? JSONDocument.parse(body), let partial = document.root["partialSuccess"] else {
        return .taken(rejected: 0, "")
      }
      // A number of 64 bits is text in this form, but not with every collector.
      let rejected = partial["rejectedSpans"]?.int ?? partial["rejectedSpans"]?.string.flatMap { Int($0) } ?? 0
      return .taken(rejected: max(0, rejected), partial["errorMessage"]?.string ?? "the collector rejected them")
    case .status(let status, _, _): return .refused("status \(status)")
    }
  }
}
