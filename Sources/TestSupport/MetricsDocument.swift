import Foundation
public import Telemetry

/// The tables of docs/metrics.md.
public enum MetricsDocument {
  public struct Row: Hashable, Sendable {
    public let name: String
    public let type: String
    public let labels: Set<String>
  }

  private struct Repeated: Error { let name: String }

  /// Rows `| `name` | type | labels | of | meaning |`; throws when a name has two.
  public static func rows() throws -> Set<Row> {
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/metrics.md").path
    var rows: [String: Row] = [:]
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 7 else { continue }
      let row = Row(
        name: cells[1].filter { $0 != "`" }, type: cells[2],
        labels: Set(cells[3].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }))
      guard rows.updateValue(row, forKey: row.name) == nil else { throw Repeated(name: row.name) }
    }
    return Set(rows.values)
  }

  public static func rows(of metrics: Metrics) -> Set<Row> {
    Set(metrics.declarations.map { Row(name: $0.name, type: $0.kind.rawValue, labels: Set($0.labels)) })
  }
}
