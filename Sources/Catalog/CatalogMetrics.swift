import Telemetry

/// The metrics that the catalogue serves: the last table of docs/metrics.md.
enum CatalogMetrics {
  static let records = "tubeline_catalog_records_total"
  static let unreadable = "tubeline_catalog_records_unreadable_total"
  static let gaps = "tubeline_catalog_log_gaps_total"
  static let transactions = "tubeline_catalog_transaction_seconds"
  static let retentionFailures = "tubeline_catalog_retention_failures_total"
  static let requests = "tubeline_catalog_requests_total"
  static let answers = "tubeline_catalog_request_seconds"
  static let streams = "tubeline_catalog_event_streams"
  static let videos = "tubeline_catalog_videos"
  static let channels = "tubeline_catalog_channels"
  static let live = "tubeline_catalog_live"
  static let behind = "tubeline_catalog_lag_offsets"

  static func declareConsuming(in metrics: Metrics, topics: some Sequence<String>) {
    metrics.declare(.counter, records, help: "Records read.", labels: ["topic"])
    metrics.declare(.counter, unreadable, help: "Records that were no valid messages.", labels: ["topic"])
    metrics.declare(.counter, gaps, help: "Times that the log no longer had the stored offset.", labels: ["topic"])
    metrics.declare(.histogram, transactions, help: "Seconds to store a batch of records.")
    metrics.declare(.counter, retentionFailures, help: "Times that what is too old could not be removed.")
    for topic in topics { for name in [records, unreadable, gaps] { metrics.begin(name, topic) } }
  }

  static func declareServing(in metrics: Metrics) {
    ProcessMetrics.declare(in: metrics)
    metrics.declare(.counter, requests, help: "Answers of the API.", labels: ["route", "status"])
    metrics.declare(.histogram, answers, help: "Seconds to answer, streams of events left out.", labels: ["route"])
    beginRoutes(in: metrics)
    metrics.declare(.gauge, streams, help: "Open streams of events.")
    metrics.declare(.gauge, videos, help: "Videos in the catalogue.")
    metrics.declare(.gauge, channels, help: "Channels in the catalogue.")
    metrics.declare(.gauge, live, help: "1 while the catalogue reads along with its topics, else 0.")
    metrics.declare(.gauge, behind, help: "Offsets between what is stored and the ends of the logs.")
  }

  // With the answers that are expected, and those that somebody is woken for; further ones are shown from the first on.
  private static func beginRoutes(in metrics: Metrics) {
    for route in Route.all {
      for status in route.expectedStatuses + [500, 503] { metrics.begin(requests, route.name, String(status)) }
      if route != .events { metrics.begin(answers, route.name) }
    }
    metrics.begin(requests, unknownRoute, "404")
    metrics.begin(answers, unknownRoute)
  }

  /// How `route` names an address that is none.
  static let unknownRoute = "other"
}
