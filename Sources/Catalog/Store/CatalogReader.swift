import JSON
import SQLite

/// Queries within one read transaction.
struct CatalogReader {
  let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Rows of one page and, when there are more, the place where the next page begins.
  struct Page<Row: Sendable, Place: Sendable>: Sendable {
    var rows: [Row]
    var next: Place?
  }

  func counter(_ counter: CatalogWriter.Counter) throws -> Int {
    try connection.query("SELECT value FROM counter WHERE name = ?", [.text(counter.rawValue)]) { $0.int(0) ?? 0 }.first ?? 0
  }

  func positions(_ cluster: String) throws -> [(topic: String, partition: Int32, next: Int64)] {
    try connection.query("SELECT topic, partition, next FROM log_position WHERE cluster = ?", [.text(cluster)]) { row in
      (row.text(0) ?? "", Int32(clamping: row.int(1) ?? 0), Int64(row.int(2) ?? 0))
    }
  }
}
