import HTTPClient
import OpenTelemetry
import Telemetry
import WorkerApp
import YouTubeAPI

/// Whether the collector of traces takes what workers would send.
struct CollectorCheck: Sendable {
  let settings: TraceSettings

  /// Nothing to tell while traces are off.
  func findings() async -> [Finding] {
    guard let endpoint = settings.endpoint else { return [] }
    let warnings = settings.warnings.map { Finding.problem("traces", $0, mend: "docs/tracing.md lists the settings") }
    let transport = CurlTransport()
    defer { transport.close() }
    let headers = [HTTPField("Content-Type", "application/json")] + settings.headers.map { HTTPField($0.name, $0.value) }
    let request = HTTPRequest(
      baseURL: endpoint, path: "", headers: headers, timeout: .seconds(5), body: OTLPRequest(resource: []).body([]))
    do throws(TransportError) {
      return warnings + [Self.finding(try await transport.send(request).status, endpoint)]
    } catch {
      return warnings + [
        .problem("traces", "no answer: \(error.description)", mend: "check OTEL_EXPORTER_OTLP_ENDPOINT; work goes on without it")
      ]
    }
  }

  // The address may hold a password; the host is enough to know which collector is meant.
  static func finding(_ status: Int, _ endpoint: String) -> Finding {
    switch status {
    case 200..<300: .ok("traces", "the collector takes them")
    case 401, 403: .problem("traces", "the collector refuses this sender (\(status))", mend: "check OTEL_EXPORTER_OTLP_HEADERS")
    case 404, 405:
      .problem(
        "traces", "there is no OTLP over HTTP at this address (\(status))", mend: "its port is usually 4318, and 4317 is that of gRPC")
    case 415: .problem("traces", "the collector takes no JSON (415)", mend: "enable OTLP's http/json there")
    default: .problem("traces", "the collector answers \(status)", mend: "look at its log")
    }
  }
}
