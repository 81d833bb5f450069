import Dispatch
import Synchronization

/// A database file with one connection, whose blocking calls run on the database's own queue, one after the other.
///
/// Several processes may open the same file (write-ahead log); several `Database` objects in one process read in parallel.
public final class Database: Sendable {
  private let queue: DispatchQueue
  private let connection: Mutex<Connection?>

  /// Opens or creates the file; `:memory:` is a private database in memory.
  public static func open(_ path: String, options: DatabaseOptions = DatabaseOptions()) async throws -> Database {
    let queue = DispatchQueue(label: "tubeline.sqlite")
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try Database(queue: queue, path: path, options: options) }) }
    }
  }

  private init(queue: DispatchQueue, path: String, options: DatabaseOptions) throws {
    self.queue = queue
    connection = Mutex(try Connection(path: path, options: options))
  }

  /// Runs `body` with the connection. Statements and rows must not leave it.
  public func perform<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        let result = Swift.Result {
          try self.connection.withLock { connection in
            guard let connection else { throw SQLiteError.closedDatabase }
            return try body(connection)
          }
        }
        continuation.resume(with: result)
      }
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
