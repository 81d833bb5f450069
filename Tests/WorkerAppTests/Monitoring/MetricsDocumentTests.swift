import Foundation
import Telemetry
import Testing

@testable import WorkerApp

@Suite("docs/metrics.md", .timeLimit(.minutes(1)))
struct MetricsDocumentTests {
  private static let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/metrics.md").path

  /// Rows `| `name` | type | labels | of | meaning |`.
  private func documented() throws -> [String: (type: String, labels: Set<String>)] {
    let text = try String(contentsOfFile: Self.path, encoding: .utf8)
    var rows: [String: (String, Set<String>)] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 7 else { continue }
      let name = cells[1].filter { $0 != "`" }
      #expect(rows[name] == nil, "\(name) has two rows")
      rows[name] = (cells[2], Set(cells[3].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }))
    }
    return rows
  }

  @Test func theDocumentAndTheCodeNameTheSameMetrics() throws {
    let metrics = Metrics()
    WorkerMetricSet.declare(in: metrics, stage: .channels)
    let declared = metrics.declarations
    let documented = try documented()
    #expect(Set(declared.map(\.name)) == Set(documented.keys))
    for metric in declared {
      #expect(documented[metric.name]?.type == metric.kind.rawValue, "\(metric.name)")
      #expect(documented[metric.name]?.labels == Set(metric.labels), "\(metric.name)")
    }
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

  @Test func countersBeginAtZero() {
    let metrics = Metrics()
    WorkerMetricSet.declare(in: metrics, stage: .channels)
    let text = metrics.exposition()
    for metric in metrics.declarations where metric.kind == .counter {
      #expect(text.contains("\n\(metric.name) 0\n") || text.contains("\n\(metric.name){"), "\(metric.name)")
    }
    #expect(text.contains("tubeline_messages_dead_lettered_total{stage=\"channels\",reason=\"attemptsExhausted\"} 0\n"))
    #expect(text.contains("tubeline_api_calls_total{method=\"videos.list\",outcome=\"configuration\"} 0\n"))
  }
}
