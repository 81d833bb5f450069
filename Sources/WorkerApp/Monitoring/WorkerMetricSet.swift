import Messages
import OpenTelemetry
import Pipeline
import Telemetry
import YouTubeAPI

/// Every metric of a worker (docs/metrics.md), declared at the start, so that a scrape shows each from the beginning.
enum WorkerMetricSet {
  static let transactions = "tubeline_transactions_total"

  static func declare(in metrics: Metrics, stage: StageName) {
    ProcessMetrics.declare(in: metrics)
    Worker.declareMetrics(in: metrics, stage: stage)
    QuotaMetrics.declare(in: metrics)
    StageMonitor.declare(in: metrics)
    MetricsCallObserver.declare(in: metrics)
    SpanExporter.declare(in: metrics)
    metrics.declare(.counter, transactions, help: "Kafka transactions that ended, and how.", labels: ["stage", "outcome"])
    for ending in ExactlyOnceDelivery.Ending.allCases { metrics.begin(transactions, stage.rawValue, ending.rawValue) }
  }
}
