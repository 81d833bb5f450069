import FoundationEssentials
import Quota
import Telemetry

/// The ledger: what it says, and what this process has of it.
enum QuotaMetrics {
  private static let granted = "tubeline_quota_granted_units_total"
  private static let waits = "tubeline_quota_waits_total"
  private static let waitSeconds = "tubeline_quota_wait_seconds"
  private static let waiting = "tubeline_quota_waiting_calls"
  private static let spent = "tubeline_quota_spent_units"
  private static let remaining = "tubeline_quota_remaining_units"
  private static let limit = "tubeline_quota_limit_units"
  private static let exhausted = "tubeline_quota_exhausted_total"
  private static let contradictions = "tubeline_quota_contradictions_total"
  private static let isExhausted = "tubeline_quota_exhausted"
  private static let drift = "tubeline_quota_drift_units"
  private static let reset = "tubeline_quota_reset_timestamp_seconds"
  private static let untilReset = "tubeline_quota_reset_seconds"
  private static let storeUp = "tubeline_quota_store_up"

  /// From no wait at all to a whole day.
  private static let waitBuckets: [Double] = [0.01, 0.1, 1, 10, 60, 300, 1800, 3600, 10_800, 21_600, 43_200, 86_400]

  static func declare(in metrics: Metrics) {
    metrics.declare(.counter, granted, help: "Units that the ledger granted to this process.", labels: ["bucket"])
    metrics.declare(.counter, waits, help: "Times that a call had to wait for quota.", labels: ["bucket", "reason"])
    metrics.declare(
      .histogram, waitSeconds, help: "Seconds that a call waited for its units before it was made.", labels: ["bucket"],
      buckets: waitBuckets)
    metrics.declare(.counter, exhausted, help: "Times that the API said that the day's quota is used up.", labels: ["bucket"])
    metrics.declare(
      .counter, contradictions, help: "Calls that the API answered after it had said that the day's quota is used up.", labels: ["bucket"])
    metrics.declare(.gauge, waiting, help: "Calls of this process that wait for quota.", labels: ["bucket"])
    metrics.declare(.gauge, spent, help: "Units that all processes have spent today, by the ledger.", labels: ["bucket"])
    metrics.declare(.gauge, remaining, help: "Units that can still be granted today, by the ledger.", labels: ["bucket"])
    metrics.declare(.gauge, limit, help: "Units a day.", labels: ["bucket"])
    metrics.declare(
      .gauge, isExhausted, help: "1 from when the API says that the day's quota is used up until the reset.", labels: ["bucket"])
    metrics.declare(
      .gauge, drift, help: "Units that were left by the ledger when the API said that there were none.", labels: ["bucket"])
    metrics.declare(.gauge, reset, help: "When the bucket is full again, in seconds since 1970.", labels: ["bucket"])
    metrics.declare(.gauge, untilReset, help: "Seconds until the bucket is full again.", labels: ["bucket"])
    metrics.declare(.gauge, storeUp, help: "1 when the ledger answered the last look at it.")
    for bucket in Bucket.allCases.map(\.rawValue) {
      for name in [granted, exhausted, contradictions, waitSeconds] { metrics.begin(name, bucket) }
      for reason in QuotaWaitReason.allCases { metrics.begin(waits, bucket, reason.rawValue) }
    }
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

  /// Waits that are worth a span are those that a person would notice.
  private static let noticeable = Duration.milliseconds(50)

  static func waited(_ metrics: Metrics, _ tracer: Tracer) -> @Sendable (Bucket, Duration) -> Void {
    { bucket, duration in
      metrics.observe(waitSeconds, duration.seconds, bucket.rawValue)
      guard duration >= noticeable else { return }
      tracer.record("wait for quota", .internal, lasting: duration, [Span.Attribute("tubeline.quota.bucket", .string(bucket.rawValue))])
    }
  }

  /// What this process knows without asking.
  static func update(_ metrics: Metrics, _ gate: QuotaGate) async {
    for (bucket, state) in await gate.state() { metrics.set(waiting, to: Double(state.waiting), bucket.rawValue) }
  }

  /// What the ledger says; `nil` when it does not answer, upon which the last answer stays.
  static func update(_ metrics: Metrics, _ ledger: [BucketStatus]?, at time: Date) {
    metrics.set(storeUp, to: ledger == nil ? 0 : 1)
    for status in ledger ?? [] {
      let bucket = status.bucket.rawValue
      metrics.set(spent, to: Double(status.spent), bucket)
      metrics.set(remaining, to: Double(status.remaining), bucket)
      metrics.set(limit, to: Double(status.limit), bucket)
      metrics.set(isExhausted, to: status.isExhausted ? 1 : 0, bucket)
      metrics.set(drift, to: Double(status.drift), bucket)
      metrics.set(reset, to: status.resetsAt.timeIntervalSince1970, bucket)
      metrics.set(untilReset, to: max(0, status.resetsAt.timeIntervalSince(time)), bucket)
    }
  }
}
