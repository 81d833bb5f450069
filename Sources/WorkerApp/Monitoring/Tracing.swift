import Messages
import OpenTelemetry
import Pipeline
import Telemetry

/// A worker's traces: off unless an endpoint is set.
struct Tracing: Sendable {
  /// How long a worker that leaves waits for the collector to take its last spans.
  private static let closeLimit = Duration.seconds(2)

  let tracer: Tracer
  private let exporter: SpanExporter?
  private let transport: CollectorTransport?

  init(_ settings: TraceSettings, identity: WorkerReport.Identity, logger: Logger, metrics: Metrics) {
    SpanExporter.declare(in: metrics)
    guard let endpoint = settings.endpoint else {
      (tracer, exporter, transport) = (.off, nil, nil)
      return
    }
    for warning in settings.warnings { logger.warning("A setting of OpenTelemetry is not heeded", ["reason": .string(warning)]) }
    let transport = CollectorTransport(endpoint: endpoint, headers: settings.headers, timeout: settings.timeout)
    let exporter = SpanExporter(
      resource: Self.resource(settings, identity), transport: transport, limits: settings.limits, logger: logger, metrics: metrics)
    self.transport = transport
    self.exporter = exporter
    tracer = Tracer(sink: exporter, sampler: settings.sampler)
  }

  private static func resource(_ settings: TraceSettings, _ identity: WorkerReport.Identity) -> [Span.Attribute] {
    let own = [
      Span.Attribute("service.name", .string(settings.serviceName ?? "tubeline-\(identity.stage.rawValue)")),
      Span.Attribute("service.version", .string(BuildInformation.version)),
      Span.Attribute("service.instance.id", .string("\(identity.stage.rawValue)/\(identity.worker)")),
      Span.Attribute("telemetry.sdk.name", "tubeline"), Span.Attribute("telemetry.sdk.language", "swift"),
      Span.Attribute("telemetry.sdk.version", .string(BuildInformation.version)),
    ]
    // What the operator says counts.
    let given = Set(settings.resource.map(\.name))
    return own.filter { !given.contains($0.name) } + settings.resource
  }

  func start() { if let exporter { Task { await exporter.run() } } }

  func close() async {
    await exporter?.close(within: Self.closeLimit)
    transport?.close()
  }
}
