public import Quota
import SQLite

/// Watermarks in a table of the ledger's file.
public final class SQLiteWatermarkStore: WatermarkStore {
  private let database: Database
  private let scope: String
  private let time: HostTime

  /// Opens or creates the file. `scope` separates installations that share it.
  public static func open(path: String, scope: String, time: HostTime = .system) async throws(QuotaStoreError) -> SQLiteWatermarkStore {
    do {
      // A watermark that a power failure takes back only makes the next refresh longer: no commit waits for the disk.
      let options = DatabaseOptions(synchronous: .normal, busyTimeout: .seconds(5))
      let database = try await Database.open(path, options: options) {
        try $0.createWatermarkTable(forgettingBefore: time.now() - Watermark.lifetime)
      }
      return SQLiteWatermarkStore(database, scope: scope, time: time)
    } catch {
      throw QuotaStoreError(sqlite: error)
    }
  }

  private init(_ database: Database, scope: String, time: HostTime) {
    self.database = database
    self.scope = scope
    self.time = time
  }

  public func read(_ list: String) async throws(QuotaStoreError) -> WatermarkReading {
    let record: WatermarkRecord
    do {
      record = try await database.perform { [scope] connection in try connection.loadWatermark(scope, list) ?? WatermarkRecord() }
    } catch {
      throw QuotaStoreError(sqlite: error)
    }
    guard record.isPlausible else {
      throw QuotaStoreError(
        .foreignValue,
        "The row of the list \(list) in the table watermark of the quota store's file holds times that no worker wrote. Delete it.")
    }
    return record.reading(at: time.now())
  }

  public func advance(_ list: String, to listing: CompletedListing) async throws(QuotaStoreError) {
    try await update(list) { $0.advance(to: listing, at: $1) }
  }

  public func bar(_ list: String, startedUntil time: Int) async throws(QuotaStoreError) {
    try await update(list) { $0.bar(startedUntil: time, at: $1) }
  }

  public func probe() async throws(QuotaStoreError) {
    do {
      // Written and taken back in one transaction: the file and the disk are asked, and nobody sees it. No list has this name.
      try await database.transaction { [scope, time] connection in
        _ = try connection.loadWatermark(scope, "probe")
        try connection.save(WatermarkRecord(barredUntil: time.now()), scope, "probe")
        try connection.deleteWatermark(scope, "probe")
      }
    } catch {
      throw QuotaStoreError(sqlite: error)
    }
  }

  public func close() async { await database.close() }

  private func update(_ list: String, _ body: @escaping @Sendable (inout WatermarkRecord, Int) -> Void) async throws(QuotaStoreError) {
    do {
      try await database.transaction { [scope, time] connection in
        let before = try connection.loadWatermark(scope, list)
        var record = before ?? WatermarkRecord()
        body(&record, time.now())
        if record != before { try connection.save(record, scope, list) }
      }
    } catch {
      throw QuotaStoreError(sqlite: error)
    }
  }
}

extension Connection {
  fileprivate func createWatermarkTable(forgettingBefore time: Int) throws {
    // Looking first keeps many starting processes from queueing for a write lock.
    let exists = try query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'watermark'") { _ in true }.first ?? false
    if !exists {
      try execute(
        """
        CREATE TABLE IF NOT EXISTS watermark (
          scope TEXT NOT NULL, list TEXT NOT NULL, started_at INTEGER, completed_at INTEGER, full_pass_at INTEGER,
          barred_until INTEGER NOT NULL, ids TEXT NOT NULL, unavailable TEXT NOT NULL, changed_at INTEGER NOT NULL,
          PRIMARY KEY (scope, list)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS watermark_age ON watermark (changed_at);
        """)
    }
    let isOutdated = try query("SELECT 1 FROM watermark WHERE changed_at < ? LIMIT 1", [.integer(time)]) { _ in true }.first ?? false
    if isOutdated { try run("DELETE FROM watermark WHERE changed_at < ?", [.integer(time)]) }
  }

  fileprivate func loadWatermark(_ scope: String, _ list: String) throws -> WatermarkRecord? {
    try query(
      "SELECT started_at, completed_at, full_pass_at, barred_until, ids, unavailable FROM watermark WHERE scope = ? AND list = ?",
      [.text(scope), .text(list)]
    ) { row in
      let watermark = row.int(0).map { started in
        Watermark(
          ids: WatermarkText.ids(row.text(4)), unavailable: Set(WatermarkText.ids(row.text(5))), startedAt: started,
          completedAt: row.int(1) ?? started)
      }
      return WatermarkRecord(watermark: watermark, fullPassAt: row.int(2), barredUntil: row.int(3) ?? 0)
    }.first
  }

  fileprivate func deleteWatermark(_ scope: String, _ list: String) throws {
    try run("DELETE FROM watermark WHERE scope = ? AND list = ?", [.text(scope), .text(list)])
  }

  fileprivate func save(_ record: WatermarkRecord, _ scope: String, _ list: String) throws {
    let watermark = record.watermark
    let number = { (value: Int?) -> SQLiteValue in value.map { .integer($0) } ?? .null }
    try run(
      """
      INSERT OR REPLACE INTO watermark (scope, list, started_at, completed_at, full_pass_at, barred_until, ids, unavailable, changed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(scope), .text(list), number(watermark?.startedAt), number(watermark?.completedAt), number(record.fullPassAt),
        .integer(record.barredUntil), .text(WatermarkText.text(watermark?.ids ?? [])),
        .text(WatermarkText.text(watermark?.unavailable.sorted() ?? [])),
        .integer(watermark?.startedAt ?? record.barredUntil),
      ])
  }
}

/// Ids as one text: an id has no white space.
enum WatermarkText {
  static func text(_ ids: some Sequence<String>) -> String { ids.joined(separator: " ") }
  static func ids(_ text: String?) -> [String] { (text ?? "").split(separator: " ").map(String.init) }
}
