import Telemetry

/// The metrics that the catalogue serves.
enum CatalogMetrics {
  static func declareConsuming(in metrics: Metrics) {
    metrics.declare(.counter, "tubeline_catalog_records_total", help: "Records read, by topic.", labels: ["topic"])
    metrics.declare(
      .counter, "tubeline_catalog_unreadable_total", help: "Records that were no valid messages, by topic.", labels: ["topic"])
    metrics.declare(.counter, "tubeline_catalog_gaps_total", help: "Positions that the broker no longer had, by topic.", labels: ["topic"])
    metrics.declare(.histogram, "tubeline_catalog_transaction_seconds", help: "How long it took to store a batch of records.")
  }

  static func declareServing(in metrics: Metrics) {
    metrics.declare(.counter, "tubeline_catalog_requests_total", help: "HTTP answers, by route and status.", labels: ["route", "status"])
    metrics.declare(.histogram, "tubeline_catalog_request_seconds", help: "How long answers took, by route.", labels: ["route"])
    metrics.declare(.gauge, "tubeline_catalog_streams", help: "Open streams of events.")
    metrics.declare(.gauge, "tubeline_catalog_videos", help: "Videos in the catalogue.")
    metrics.declare(.gauge, "tubeline_catalog_channels", help: "Channels in the catalogue.")
    metrics.declare(.gauge, "tubeline_catalog_behind", help: "Offsets between what is stored and the ends of the logs.")
  }
}
