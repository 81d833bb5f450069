public import Quota
import SQLite

/// A ledger in an SQLite file: one host, several processes. A commit is on the disk before its units are spent.
public final class SQLiteLedger: LedgerStorage {
  private let database: Database

  /// Opens or creates the file. Its directory must exist.
  public static func open(path: String) async throws(QuotaStoreError) -> SQLiteLedger {
    // A wait for units and the refund after it must fit into a shutdown's grace.
    try await open(path: path, busyTimeout: .seconds(10))
  }

  static func open(path: String, busyTimeout: Duration) async throws(QuotaStoreError) -> SQLiteLedger {
    do {
      let options = DatabaseOptions(synchronous: .full, busyTimeout: busyTimeout)
      return SQLiteLedger(try await Database.open(path, options: options) { try $0.createLedgerTables() })
    } catch {
      throw QuotaStoreError(sqlite: error, in: path)
    }
  }

  private init(_ database: Database) { self.database = database }

  public func update<Result: Sendable>(
    _ body: @escaping @Sendable (inout Ledger?) throws(QuotaStoreError) -> Result
  ) async throws(QuotaStoreError) -> Result {
    do {
      return try await database.transaction { connection in
        let before = try connection.loadLedger()
        var ledger = before
        let result = try body(&ledger)
        if let ledger, ledger != before { try connection.save(ledger, replacing: before) }
        return result
      }
    } catch {
      throw QuotaStoreError(sqlite: error)
    }
  }

  public func probe() async throws(QuotaStoreError) {
    do { try await database.transaction { try $0.writeVersion() } } catch { throw QuotaStoreError(sqlite: error) }
  }

  public func close() async { await database.close() }
}

extension Connection {
  private static var ledgerVersion: Int { 5 }

  // SQLite writes the page even where the number stays: the file and the disk are asked, and the ledger is untouched.
  func writeVersion() throws { try execute("PRAGMA user_version = \(query("PRAGMA user_version") { $0.int(0) ?? 0 }.first ?? 0)") }

  func createLedgerTables() throws {
    // Looking first keeps sixteen starting processes from queueing for a write lock.
    let version = try query("PRAGMA user_version") { $0.int(0) ?? 0 }.first ?? 0
    if version == Self.ledgerVersion { return }
    guard version < Self.ledgerVersion else {
      let known = Self.ledgerVersion
      throw QuotaStoreError(.refused, "The quota ledger has version \(version), written by a later release; this one reads \(known).")
    }
    try transaction { connection in
      // Another process may have been here meanwhile.
      let version = try connection.query("PRAGMA user_version") { $0.int(0) ?? 0 }.first ?? 0
      if version > 0 {
        try connection.addColumns(["doubted_until", "writers_since"], to: "ledger")
        try connection.addColumns(["contradictions", "confirmed_at"], to: "account")
      }
      try connection.execute(
        """
        CREATE TABLE IF NOT EXISTS ledger (
          only INTEGER PRIMARY KEY CHECK (only = 1), id TEXT NOT NULL, sequence INTEGER NOT NULL,
          time INTEGER NOT NULL, confirmed_at INTEGER NOT NULL, doubted_until INTEGER NOT NULL DEFAULT 0,
          writers_since INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE IF NOT EXISTS account (
          bucket TEXT PRIMARY KEY, day_start INTEGER NOT NULL, day_end INTEGER NOT NULL, spent INTEGER NOT NULL,
          exhausted_until INTEGER NOT NULL, drift INTEGER NOT NULL, next_request INTEGER NOT NULL,
          contradictions INTEGER NOT NULL DEFAULT 0, confirmed_at INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS writer (
          id TEXT PRIMARY KEY, sequence INTEGER NOT NULL, time INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        PRAGMA user_version = \(Self.ledgerVersion);
        """)
      if replacesRemovedFile {
        var ledger = Ledger(id: Ledger.randomID())
        ledger.doubtedUntil = Ledger.someReset
        try save(ledger, replacing: nil)
      }
    }
  }

  // A probe of an earlier release may have written its version back: what is there decides.
  private func addColumns(_ names: [String], to table: String) throws {
    let present = try query("SELECT name FROM pragma_table_info('\(table)')") { $0.text(0) ?? "" }
    for name in names where !present.contains(name) {
      try execute("ALTER TABLE \(table) ADD COLUMN \(name) INTEGER NOT NULL DEFAULT 0")
    }
  }

  func loadLedger() throws -> Ledger? {
    let ledgers = try query("SELECT id, sequence, time, doubted_until, writers_since FROM ledger") { row in
      var ledger = Ledger(id: row.text(0) ?? "")
      ledger.sequence = row.int(1) ?? 0
      ledger.time = row.int(2) ?? 0
      ledger.doubtedUntil = row.int(3) ?? 0
      ledger.writersSince = row.int(4) ?? 0
      return ledger
    }
    guard var ledger = ledgers.first else { return nil }
    let accounts = try query(
      "SELECT bucket, day_start, day_end, spent, exhausted_until, drift, next_request, contradictions, confirmed_at FROM account"
    ) { row in
      var account = Ledger.Account(day: QuotaDay(start: row.int(1) ?? 0, end: row.int(2) ?? 0))
      account.spent = row.int(3) ?? 0
      account.exhaustedUntil = row.int(4) ?? 0
      account.drift = row.int(5) ?? 0
      account.nextRequest = row.int(6) ?? 0
      account.contradictions = row.int(7) ?? 0
      account.confirmedAt = row.int(8) ?? 0
      return (row.text(0).flatMap(Bucket.init(rawValue:)), account)
    }
    // Buckets of a later release stay in the file as they are.
    for case (let bucket?, let account) in accounts { ledger.accounts[bucket] = account }
    let writers = try query("SELECT id, sequence, time FROM writer") {
      ($0.text(0) ?? "", Ledger.Writer(sequence: $0.int(1) ?? 0, time: $0.int(2) ?? 0))
    }
    ledger.writers = Dictionary(writers) { $1 }
    try ledger.check()
    return ledger
  }

  func save(_ ledger: Ledger, replacing before: Ledger?) throws {
    // Columns of a later release keep what they hold.
    try run(
      """
      INSERT INTO ledger (only, id, sequence, time, confirmed_at, doubted_until, writers_since) VALUES (1, ?, ?, ?, 0, ?, ?)
      ON CONFLICT DO UPDATE SET id = excluded.id, sequence = excluded.sequence, time = excluded.time,
        doubted_until = excluded.doubted_until, writers_since = excluded.writers_since
      """,
      [
        .text(ledger.id), .integer(ledger.sequence), .integer(ledger.time), .integer(ledger.doubtedUntil), .integer(ledger.writersSince),
      ])
    for (bucket, account) in ledger.accounts where before?.accounts[bucket] != account {
      try run(
        """
        INSERT INTO account (bucket, day_start, day_end, spent, exhausted_until, drift, next_request, contradictions,
          confirmed_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET day_start = excluded.day_start, day_end = excluded.day_end, spent = excluded.spent,
          exhausted_until = excluded.exhausted_until, drift = excluded.drift, next_request = excluded.next_request,
          contradictions = excluded.contradictions, confirmed_at = excluded.confirmed_at
        """,
        [
          .text(bucket.rawValue), .integer(account.day.start), .integer(account.day.end), .integer(account.spent),
          .integer(account.exhaustedUntil), .integer(account.drift), .integer(account.nextRequest), .integer(account.contradictions),
          .integer(account.confirmedAt),
        ])
    }
    for (id, writer) in ledger.writers where before?.writers[id] != writer {
      try run(
        "INSERT OR REPLACE INTO writer (id, sequence, time) VALUES (?, ?, ?)",
        [.text(id), .integer(writer.sequence), .integer(writer.time)])
    }
    for id in before?.writers.keys ?? [:].keys where ledger.writers[id] == nil { try run("DELETE FROM writer WHERE id = ?", [.text(id)]) }
  }
}

extension QuotaStoreError {
  /// - Parameter path: of the file that is opened; later errors are of a file that is known to be a ledger.
  init(sqlite error: any Error, in path: String? = nil) {
    let place = path.map { "\($0) cannot be used as a quota ledger: " } ?? ""
    switch error {
    case let error as QuotaStoreError: self = error
    case let error as SQLiteError:
      self.init(
        error.isRetriable ? .unreachable : error == .closedDatabase ? .closed : .refused, place + error.description, underlying: error,
        isTimeout: error.isBusy)
    default: self.init(.refused, place + "\(error)", underlying: error)
    }
  }
}
