import CSQLite

/// Ends a query that reads too much before its next row.
///
/// SQLite counts the instructions of its virtual machine, and has a full-text index read each of its pages by some. The query's own
/// instructions, which make rows, are not counted, so that what is limited is the search between them.
final class WorkLimit {
  // How often SQLite asks, in instructions.
  private static let interval = 16
  private let limit: Int
  private var counted = 0
  /// The query's own instructions.
  var own = 0
  private(set) var isReached = false

  init(_ limit: Int) { self.limit = limit }

  func begin(on handle: OpaquePointer) {
    // The caller keeps this object until end(on:).
    sqlite3_progress_handler(handle, Int32(Self.interval), progressHandler, Unmanaged.passUnretained(self).toOpaque())
  }

  func end(on handle: OpaquePointer) { sqlite3_progress_handler(handle, 0, nil, nil) }

  fileprivate func count() -> Bool {
    counted += Self.interval
    if counted - own > limit { isReached = true }
    return isReached
  }
}

// Not 0 interrupts the query.
private func progressHandler(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  return Unmanaged<WorkLimit>.fromOpaque(context).takeUnretainedValue().count() ? 1 : 0
}

extension Connection {
  /// Runs a query that may end early: with the rows it has found when it has taken so many instructions beside its own.
  ///
  /// It is for reading outside a transaction that writes: SQLite rolls such a one back when a statement in it is interrupted.
  public func query<Value>(
    _ sql: String, _ values: [SQLiteValue], mostInstructions: Int, _ row: (Statement) throws -> Value
  ) throws -> (rows: [Value], isWhole: Bool) {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    let limit = WorkLimit(mostInstructions)
    limit.begin(on: handle)
    defer { limit.end(on: handle) }
    let before = statement.instructions
    var rows: [Value] = []
    do {
      while try statement.step() {
        limit.own = statement.instructions - before
        rows.append(try row(statement))
      }
    } catch let error as SQLiteError where limit.isReached && error.code == SQLITE_INTERRUPT {
      return (rows, false)
    }
    return (rows, true)
  }
}
