import Foundation
import Telemetry
import TestSupport
import Testing

@testable import WorkerApp

@Suite("docs/metrics.md", .timeLimit(.minutes(1)))
struct MetricsDocumentTests {
  @Test func theDocumentAndTheCodeNameTheSameMetrics() throws {
    let metrics = Metrics()
    WorkerMetricSet.declare(in: metrics, stage: .channels)
    let documented = try MetricsDocument.rows().filter { !$0.name.hasPrefix("tubeline_catalog_") }
    #expect(documented == MetricsDocument.rows(of: metrics))
  }

  @Test func namesFollowTheConventionsOfPrometheus() {
    let metrics = Metrics()
    WorkerMetricSet.declare(in: metrics, stage: .channels)
    for metric in metrics.declarations {
      #expect(metric.name.wholeMatch(of: /(tubeline|process)_[a-z0-9_]+/) != nil, "\(metric.name)")
      #expect((metric.kind == .counter) == metric.name.hasSuffix("_total"), "\(metric.name)")
      if metric.kind == .histogram { #expect(metric.name.hasSuffix("_seconds"), "\(metric.name)") }
      #expect(metric.help.hasSuffix(".") || metric.help.hasSuffix("runs."), "\(metric.name)")
      #expect(metric.labels.count <= 2)
    }
  }

  @Test func countersBeginAtZeroAndHistogramsEmpty() {
    let metrics = Metrics()
    WorkerMetricSet.declare(in: metrics, stage: .channels)
    let text = metrics.exposition()
    for metric in metrics.declarations where metric.kind == .histogram {
      #expect(text.contains("\n\(metric.name)_count{"), "\(metric.name)")
    }
    #expect(text.contains("tubeline_handling_seconds_count{stage=\"channels\"} 0\n"))
    #expect(text.contains("tubeline_api_call_seconds_bucket{method=\"videos.list\",le=\"+Inf\"} 0\n"))
    #expect(text.contains("tubeline_quota_wait_seconds_sum{bucket=\"search\"} 0\n"))
    for metric in metrics.declarations where metric.kind == .counter {
      #expect(text.contains("\n\(metric.name) 0\n") || text.contains("\n\(metric.name){"), "\(metric.name)")
    }
    #expect(text.contains("tubeline_messages_dead_lettered_total{stage=\"channels\",reason=\"attemptsExhausted\"} 0\n"))
    #expect(text.contains("tubeline_api_calls_total{method=\"videos.list\",outcome=\"configuration\"} 0\n"))
  }
}
