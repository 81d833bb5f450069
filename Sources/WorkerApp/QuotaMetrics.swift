import FoundationEssentials
import Quota
import Telemetry

/// The ledger as this process sees it.
enum QuotaMetrics {
  private static let granted = "tubeline_quota_granted_units_total"
  private static let waits = "tubeline_quota_waits_total"
  private static let waiting = "tubeline_quota_waiting_calls"
  private static let remaining = "tubeline_quota_remaining_units"
  private static let limit = "tubeline_quota_limit_units"
  private static let exhausted = "tubeline_quota_exhausted_total"
  private static let contradictions = "tubeline_quota_contradictions_total"
  private static let drift = "tubeline_quota_drift_units"
  private static let reset = "tubeline_quota_reset_timestamp_seconds"

  static func declare(in metrics: Metrics) {
    metrics.declare(.counter, granted, help: "Units that the ledger granted to this process.", labels: ["bucket"])
    metrics.declare(.counter, waits, help: "Times that a call had to wait for quota.", labels: ["bucket", "reason"])
    metrics.declare(.counter, exhausted, help: "Times that the API said that the day's quota is used up.", labels: ["bucket"])
    metrics.declare(
      .counter, contradictions, help: "Calls that the API answered after it had said that the day's quota is used up.", labels: ["bucket"])
    metrics.declare(
      .gauge, drift, help: "Units that were left by the ledger when the API said that there were none.", labels: ["bucket"])
    metrics.declare(.gauge, waiting, help: "Calls waiting for quota.", labels: ["bucket"])
    metrics.declare(.gauge, remaining, help: "Units left today, as of the last reservation of this process.", labels: ["bucket"])
    metrics.declare(.gauge, limit, help: "Units a day.", labels: ["bucket"])
    metrics.declare(.gauge, reset, help: "When the bucket is full again, in seconds since 1970.", labels: ["bucket"])
  }

  static func observer(_ metrics: Metrics) -> @Sendable (QuotaGateEvent) -> Void {
    { event in
      switch event {
      case .granted(let grant): metrics.add(granted, Double(grant.cost), grant.bucket.rawValue)
      case .waiting(let bucket, let reason): metrics.add(waits, 1, bucket.rawValue, reason.rawValue)
      case .exhausted(let bucket): metrics.add(exhausted, 1, bucket.rawValue)
      case .contradicted(let bucket): metrics.add(contradictions, 1, bucket.rawValue)
      case .refunded, .resumed: break
      }
    }
  }

  static func update(_ metrics: Metrics, _ gate: QuotaGate) async {
    for (bucket, state) in await gate.state() {
      metrics.set(waiting, to: Double(state.waiting), bucket.rawValue)
      metrics.set(limit, to: Double(state.limit), bucket.rawValue)
      metrics.set(drift, to: Double(state.drift ?? 0), bucket.rawValue)
      if let left = state.remaining { metrics.set(remaining, to: Double(left), bucket.rawValue) }
      if let time = state.resetsAt { metrics.set(reset, to: time.timeIntervalSince1970, bucket.rawValue) }
    }
  }
}
