import Dispatch
import Synchronization

/// A database file with one connection, whose blocking calls run on the database's own queue, one after the other; those that stood behind
/// one that waited for another process's lock in vain fail with it.
///
/// Several processes may open the same file (write-ahead log); several `Database` objects in one process read in parallel.
public final class Database: Sendable {
  private let queue: DispatchQueue
  private let opening: Opening
  private let connection: Mutex<Connection?>
  // Of the last call that did not get the lock in time.
  private let hang = Mutex<(at: ContinuousClock.Instant, error: SQLiteError)?>(nil)

  private struct Opening: Sendable {
    let path: String
    let options: DatabaseOptions
    let prepare: @Sendable (Connection) throws -> Void

    func open() throws -> Connection {
      let connection = try Connection(path: path, options: options)
      try prepare(connection)
      // What is there now is what it must be from here on.
      try connection.checkLog()
      return connection
    }
  }

  /// Opens or creates the file; `:memory:` is a private database in memory.
  ///
  /// `prepare` makes the tables. It is called for each file that is found at the path: when somebody removes or replaces the file, the
  /// next call works with the one that is there now, as all who open it later do.
  public static func open(
    _ path: String, options: DatabaseOptions = DatabaseOptions(), prepare: @escaping @Sendable (Connection) throws -> Void = { _ in }
  ) async throws -> Database {
    let queue = DispatchQueue(label: "tubeline.sqlite")
    let opening = Opening(path: path, options: options, prepare: prepare)
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try Database(queue: queue, opening) }) }
    }
  }

  private init(queue: DispatchQueue, _ opening: Opening) throws {
    self.queue = queue
    self.opening = opening
    connection = Mutex(try opening.open())
  }

  /// Runs `body` with the connection. Statements and rows must not leave it.
  public func perform<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) async throws -> Result {
    let since = ContinuousClock.now
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try self.run(body, since: since) }) }
    }
  }

  private func run<Result: Sendable>(
    _ body: @Sendable (Connection) throws -> Result, since: ContinuousClock.Instant
  ) throws -> Result {
    // Else a process that holds the lock would cost each of many calls the whole timeout, one after the other.
    if let hang = hang.withLock({ $0 }), since < hang.at { throw hang.error }
    do {
      return try connection.withLock { connection in
        guard let current = connection else { throw SQLiteError.closedDatabase }
        guard current.hasMoved else {
          try current.checkLog()
          return try body(current)
        }
        let reopened = try opening.open()
        current.leaveLog()
        connection = reopened
        return try body(reopened)
      }
    } catch let error as SQLiteError where error.isBusy {
      hang.withLock { $0 = (.now, error) }
      throw error
    }
  }

  /// Runs `body` inside BEGIN IMMEDIATE and COMMIT; rolls back when it throws.
  public func transaction<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) async throws -> Result {
    try await perform { connection in try connection.transaction(body) }
  }

  /// Waits for what is running, then closes; later calls throw.
  public func close() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.connection.withLock { $0 = nil }
        continuation.resume()
      }
    }
  }
}
