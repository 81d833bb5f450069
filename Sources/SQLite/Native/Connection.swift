import CSQLite
import Glibc

/// An open database. For one thread at a time.
public final class Connection {
  let handle: OpaquePointer
  private let busyWait: BusyWait
  private var statements: [String: Statement] = [:]
  private let files: DatabaseFiles
  /// The file was missing although its log was there: somebody has removed it, and what the log told with it.
  public let replacesRemovedFile: Bool

  // SQLITE_READONLY_DBMOVED, a macro that Swift does not see.
  private static let movedFile = SQLITE_READONLY | 4 << 8
  // More different statements than this are not a program's own, but made up from data.
  private static let cachedStatements = 128

  /// Opens in write-ahead-log mode where the file system can (https://sqlite.org/wal.html).
  public init(path: String, options: DatabaseOptions = DatabaseOptions()) throws(SQLiteError) {
    files = DatabaseFiles(path: path)
    replacesRemovedFile = !options.isReadOnly && files.clearRemnants()
    var opened: OpaquePointer?
    let access = options.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let status = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let opened, status == SQLITE_OK else {
      let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw SQLiteError(extendedCode: status, message: "\(path) cannot be opened: \(reason)")
    }
    handle = opened
    busyWait = BusyWait(limit: options.busyTimeout)
    busyWait.install(on: handle)
    if !options.isReadOnly { try enableWriteAheadLog() }
    try execute("PRAGMA synchronous = \(options.synchronous.rawValue); PRAGMA foreign_keys = ON")
  }

  deinit {
    statements = [:]
    // v2: statements that somebody still holds keep the handle until they are gone.
    sqlite3_close_v2(handle)
  }

  /// Runs one or more statements without parameters and drops their rows.
  public func execute(_ sql: String) throws(SQLiteError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw lastError() }
  }

  /// Runs one statement; returns how many rows it changed.
  @discardableResult
  public func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
    return Int(sqlite3_changes64(handle))
  }

  /// Runs one query and makes a value of each row.
  public func query<Value>(_ sql: String, _ values: [SQLiteValue] = [], _ row: (Statement) throws -> Value) throws -> [Value] {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    var result: [Value] = []
    while try statement.step() { result.append(try row(statement)) }
    return result
  }

  /// A statement, compiled when first asked for; one that is still running is not handed out a second time.
  public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    if let cached = statements[sql], !cached.isRunning { return cached }
    let statement = try Statement(sql, on: handle, busyWait: busyWait)
    if statements.count >= Self.cachedStatements { statements = [:] }
    statements[sql] = statement
    return statement
  }

  /// BEGIN IMMEDIATE, so that a transaction that writes waits for its turn at the beginning and cannot fail in the middle for it.
  public func transaction<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try body(self)
      try run("COMMIT")
      return result
    } catch {
      // A full disk and some other errors have rolled back already.
      if sqlite3_get_autocommit(handle) == 0 { try run("ROLLBACK") }
      throw error
    }
  }

  /// Whether the file is no longer what its path names: somebody has removed, moved or replaced it.
  public var hasMoved: Bool {
    var moved: CInt = 0
    return sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
  }

  /// Throws when the write-ahead log was removed, which other processes then do without. What is in it is saved into the file first.
  ///
  /// The process has to begin anew: SQLite lets all its connections share what was removed.
  public func checkLog() throws(SQLiteError) {
    guard files.hasLogMoved() else { return }
    try? execute("PRAGMA wal_checkpoint(PASSIVE)")
    throw SQLiteError(
      extendedCode: Self.movedFile,
      message: "\(files.path)-wal was removed while the file is in use; end all processes that use it, and start them again")
  }

  /// To be called before a connection whose files have moved is closed: it would write its log into the file that is there now.
  public func leaveLog() { _ = tubeline_sqlite3_disable_checkpoint_on_close(handle) }

  public var lastInsertedRowID: Int { Int(sqlite3_last_insert_rowid(handle)) }

  // Changing the journal mode reports a lock without asking the busy handler.
  private func enableWriteAheadLog() throws(SQLiteError) {
    busyWait.begin()
    while sqlite3_exec(handle, "PRAGMA journal_mode = WAL", nil, nil, nil) != SQLITE_OK {
      guard sqlite3_errcode(handle) & 0xFF == SQLITE_BUSY, busyWait.sleep() else { throw lastError() }
    }
  }

  private func lastError() -> SQLiteError { SQLiteError(of: handle) }
}

extension SQLiteError {
  init(of handle: OpaquePointer?) {
    self.init(extendedCode: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
  }
}
