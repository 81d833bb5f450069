import FoundationEssentials
import Messages
import Monitoring
import Quota
import Stages
import Telemetry

/// Looks now and then at what the whole stage has before it: what waits for its group, and what is left of its quota.
///
/// It runs while /metrics is served, with clients of its own: a broker or a ledger that is away keeps the last values and holds up nothing.
struct StageMonitor: Sendable {
  static let lag = "tubeline_group_lag_messages"
  static let wanted = "tubeline_desired_replicas"
  static let isKnown = "tubeline_group_lag_known"

  let stage: StageName
  let prefix: String
  let concurrency: Int
  let policy: QuotaPolicy
  let reader: LagReader
  let store: any QuotaStore
  let metrics: Metrics
  let logger: Logger

  static func declare(in metrics: Metrics) {
    metrics.declare(
      .gauge, lag, help: "Records that wait for the stage's group or are being handled by it, without transaction markers.",
      labels: ["stage", "topic"])
    metrics.declare(.gauge, isKnown, help: "1 when the last look at the group's lag succeeded.", labels: ["stage"])
    metrics.declare(
      .gauge, wanted, help: "How many workers of the stage would be useful now; at most 1 while its quota is used up.", labels: ["stage"])
  }

  /// Looks until its task is cancelled.
  func run(every interval: Duration) async {
    while !Task.isCancelled {
      await look()
      try? await Task.sleep(for: interval)
    }
    await reader.close()
  }

  private func look() async {
    let ledger: [BucketStatus]?
    do throws(QuotaStoreError) { ledger = try await store.status(policy) } catch {
      logger.debug("The ledger was not looked at", ["error": .string(error.message)])
      ledger = nil
    }
    QuotaMetrics.update(metrics, ledger, at: Date())
    do { set(try await lags(), ledger) } catch {
      metrics.set(Self.isKnown, to: 0, stage.rawValue)
      logger.debug("The group's lag was not looked at", ["error": "\(error)"])
    }
  }

  private var inputs: [Topic] { StageOrder.row(stage)?.inputs ?? [] }
  private var retries: Topic? { StageOrder.row(stage)?.retriesInPlace == false ? .retry(stage) : nil }

  private func lags() async throws -> [Topic: [Int]] {
    let topics = inputs + [retries].compactMap { $0 }
    let found = try await reader.read(topics.map { prefix + $0.name })
    return topics.reduce(into: [:]) { lags, topic in
      lags[topic] = found.filter { $0.key.topic == prefix + topic.name }.map(\.value)
    }
  }

  private func set(_ lags: [Topic: [Int]], _ ledger: [BucketStatus]?) {
    for (topic, counts) in lags { metrics.set(Self.lag, to: Double(counts.reduce(0, +)), stage.rawValue, topic.name) }
    let bucket: Bucket = stage == .search ? .search : .default
    let wanted = WorkersWanted(
      lag: inputs.flatMap { lags[$0] ?? [] }, retries: retries.flatMap { lags[$0] }?.reduce(0, +) ?? 0, concurrency: concurrency,
      units: WorkersWanted.units(ledger?.first { $0.bucket == bucket }, policy: policy))
    metrics.set(Self.wanted, to: Double(wanted.count), stage.rawValue)
    metrics.set(Self.isKnown, to: 1, stage.rawValue)
  }
}
