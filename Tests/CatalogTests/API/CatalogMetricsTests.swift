import JSON
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

  @Test func everyRouteIsThereBeforeItsFirstAnswer() throws {
    let text = Self.declared().exposition()
    let document = try JSONTree.parse(try #require(StaticFiles.bytes("openapi.json")))
    let paths = document["paths"]?.members ?? []
    #expect(paths.count == Route.all.count)
    for path in paths {
      let name = try #require(Route(path.key)?.name)
      let successes = (path.value.members ?? []).flatMap { $0.value["responses"]?.members ?? [] }.map(\.key).filter { $0 < "300" }
      for status in Set(successes + ["500", "503"]) {
        #expect(text.contains("\ntubeline_catalog_requests_total{route=\"\(name)\",status=\"\(status)\"} 0\n"))
      }
      #expect(text.contains("\ntubeline_catalog_request_seconds_count{route=\"\(name)\"} 0\n") == (name != "events"))
    }
    #expect(text.contains("\ntubeline_catalog_requests_total{route=\"other\",status=\"404\"} 0\n"))
    #expect(text.contains("\ntubeline_catalog_transaction_seconds_count 0\n"))
  }
}
