import CSQLite

/// A compiled statement and, while it runs, its current row. Columns count from 0, parameters from 1.
public final class Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer
  // SQLite may call the busy handler as long as a statement lives.
  private let busyWait: BusyWait

  init(_ sql: String, on connection: OpaquePointer, busyWait: BusyWait) throws(SQLiteError) {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil) == SQLITE_OK else {
      throw SQLiteError(of: connection)
    }
    guard let prepared else { throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "the statement is empty") }
    handle = prepared
    self.connection = connection
    self.busyWait = busyWait
  }

  deinit { sqlite3_finalize(handle) }

  var isRunning: Bool { sqlite3_stmt_busy(handle) != 0 }

  /// Binds all parameters in order; those left out are null.
  public func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    sqlite3_clear_bindings(handle)
    guard values.count <= sqlite3_bind_parameter_count(handle) else {
      throw SQLiteError(extendedCode: SQLITE_RANGE, message: "\(values.count) values for fewer parameters")
    }
    for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
  }

  public func bind(_ value: SQLiteValue, at index: Int) throws(SQLiteError) {
    let index = Int32(index)
    let status =
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let number): sqlite3_bind_int64(handle, index, Int64(number))
      case .real(let number): sqlite3_bind_double(handle, index, number)
      case .text(var text):
        text.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            sqlite3_bind_text(handle, index, $0.baseAddress, Int32(clamping: $0.count), sqliteTransient())
          }
        }
      case .blob(let bytes):
        bytes.isEmpty
          ? sqlite3_bind_zeroblob(handle, index, 0)
          : bytes.withUnsafeBytes { sqlite3_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count), sqliteTransient()) }
      }
    guard status == SQLITE_OK else { throw SQLiteError(of: connection) }
  }

  /// Goes to the next row; false when there is none.
  public func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw SQLiteError(of: connection)
    }
  }

  /// Ends the run and its read lock, and makes the statement ready for another.
  public func reset() {
    // It repeats the error of the last step, which step() has thrown already.
    _ = sqlite3_reset(handle)
  }

  /// How many instructions of SQLite's virtual machine this statement has taken so far.
  var instructions: Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)) }

  public var columnCount: Int { Int(sqlite3_column_count(handle)) }

  public func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }

  /// `nil` for null.
  public func int(_ column: Int) -> Int? { isNull(column) ? nil : Int(sqlite3_column_int64(handle, Int32(column))) }

  public func double(_ column: Int) -> Double? { isNull(column) ? nil : sqlite3_column_double(handle, Int32(column)) }

  public func text(_ column: Int) -> String? {
    guard let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  public func blob(_ column: Int) -> [UInt8]? {
    if isNull(column) { return nil }
    guard let start = sqlite3_column_blob(handle, Int32(column)) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
  }

  public func value(_ column: Int) -> SQLiteValue {
    switch sqlite3_column_type(handle, Int32(column)) {
    case SQLITE_INTEGER: .integer(Int(sqlite3_column_int64(handle, Int32(column))))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, Int32(column)))
    case SQLITE_TEXT: .text(text(column) ?? "")
    case SQLITE_BLOB: .blob(blob(column) ?? [])
    default: .null
    }
  }
}

// SQLITE_TRANSIENT, a cast that Swift does not import: SQLite copies the bytes before bind returns.
private func sqliteTransient() -> sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
