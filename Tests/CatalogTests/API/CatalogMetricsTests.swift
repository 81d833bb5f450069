import Telemetry
import TestSupport
import Testing

@testable import Catalog

@Suite("The catalogue's metrics", .timeLimit(.minutes(1)))
struct CatalogMetricsTests {
  private static func declared() -> Metrics {
    let metrics = Metrics()
    CatalogMetrics.declareServing(in: metrics)
    CatalogMetrics.declareConsuming(in: metrics, topics: CatalogTopics(prefix: "lab.").labels)
    return metrics
  }

  @Test func theyAreTheDocumentedOnes() throws {
    let own = try MetricsDocument.rows().filter {
      $0.name.hasPrefix("tubeline_catalog_") || $0.name.hasPrefix("process_") || $0.name == "tubeline_build_info"
    }
    #expect(own == MetricsDocument.rows(of: Self.declared()))
  }

  @Test func topicsAreNamedWithoutThePrefixAndBeginAtZero() {
    let text = Self.declared().exposition()
    #expect(text.contains("\ntubeline_catalog_records_total{topic=\"video-records\"} 0\n"))
    #expect(!text.contains("lab."))
  }
}
