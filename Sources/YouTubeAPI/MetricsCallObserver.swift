public import Telemetry

/// Counts calls, seconds, bytes and skipped items into the process's metrics.
public struct MetricsCallObserver: APICallObserver {
  private let metrics: Metrics

  public init(metrics: Metrics) {
    self.metrics = metrics
    Self.declare(in: metrics)
  }

  public static func declare(in metrics: Metrics) {
    metrics.declare(.counter, calls, help: "HTTP requests to the YouTube API.", labels: ["method", "outcome"])
    metrics.declare(.histogram, seconds, help: "Seconds from request to last byte.", labels: ["method"])
    metrics.declare(.counter, bytes, help: "Bytes of answers, decompressed.", labels: ["method"])
    metrics.declare(.counter, skipped, help: "Items of answers that could not be read.", labels: ["method"])
    for method in APIMethod.allCases.map(\.rawValue) {
      for outcome in APICall.Outcome.allCases { metrics.begin(calls, method, outcome.rawValue) }
      for name in [seconds, bytes, skipped] { metrics.begin(name, method) }
    }
  }

  public func observe(_ call: APICall) {
    let method = call.method.rawValue
    metrics.add(Self.calls, 1, method, call.outcome.rawValue)
    metrics.observe(Self.seconds, call.duration.seconds, method)
    if call.bytes > 0 { metrics.add(Self.bytes, Double(call.bytes), method) }
    if call.skipped > 0 { metrics.add(Self.skipped, Double(call.skipped), method) }
  }

  static let calls = "tubeline_api_calls_total"
  static let seconds = "tubeline_api_call_seconds"
  static let bytes = "tubeline_api_response_bytes_total"
  static let skipped = "tubeline_api_items_skipped_total"
}
