import FoundationEssentials
import SQLite
import Synchronization

/// The catalogue's database: one connection that writes, and some that read beside it.
final class CatalogStore: Sendable {
  private let writer: Database
  private let readers: [Database]
  private let next = Atomic(0)
  private let locks: Locks
  let retention: Duration
  private let time: @Sendable () -> Date

  private static let readerCount = 2
  // Kilobytes for pages, each connection: the file's hot part; the rest is the system's cache.
  private static let writerCache = 24_000
  private static let readerCache = 12_000

  /// Opens or creates the file and brings it to the present version. One process at a time may have it.
  static func open(
    _ path: String, retention: Duration = .seconds(29 * 86_400), time: @escaping @Sendable () -> Date = { Date() }
  ) async throws -> CatalogStore {
    let path = try DatabaseFile.resolved(path)
    let file = DatabaseLock()
    try DatabaseFile.check(path, file)
    let lock = try FileLock(path + ".lock")
    // A file that is made now is held from here on, and one that somebody puts in its place later is not taken for it.
    let hold: @Sendable (Connection) throws -> Void = { _ in try file.hold(path) }
    var open: [Database] = []
    do {
      let writer = try await Database.open(path, options: DatabaseOptions(synchronous: .normal), prepare: hold)
      open.append(writer)
      try await writer.perform { connection in
        try CatalogSchema.migrate(connection)
        try connection.execute(
          "PRAGMA cache_size = -\(writerCache); PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864")
      }
      for _ in 0..<readerCount {
        let reader = try await Database.open(path, options: DatabaseOptions(isReadOnly: true), prepare: hold)
        open.append(reader)
        try await reader.perform { try $0.execute("PRAGMA cache_size = -\(readerCache); PRAGMA query_only = ON") }
      }
      return CatalogStore(
        writer: writer, readers: Array(open.dropFirst()), locks: Locks(file: file, name: lock), retention: retention, time: time)
    } catch {
      for database in open { await database.close() }
      throw error
    }
  }

  /// Held by the file and by its name: the latter while there is no file yet, and against versions that know nothing else.
  private struct Locks: Sendable {
    let file: DatabaseLock
    let name: FileLock
  }

  private init(writer: Database, readers: [Database], locks: Locks, retention: Duration, time: @escaping @Sendable () -> Date) {
    self.writer = writer
    self.readers = readers
    self.locks = locks
    self.retention = retention
    self.time = time
  }

  /// Milliseconds since 1970.
  var now: Int { Int((time().timeIntervalSince1970 * 1000).rounded(.down)) }

  /// Records that were fetched before it have to go.
  var horizon: Int { now - Int(retention.components.seconds) * 1000 }

  /// One transaction of changes.
  @discardableResult
  func write<Result: Sendable>(_ body: @escaping @Sendable (inout CatalogWriter) throws -> Result) async throws -> Result {
    let (now, horizon) = (now, horizon)
    return try await writer.transaction { connection in
      var writer = CatalogWriter(connection, now: now, horizon: horizon)
      let result = try body(&writer)
      try writer.finish()
      return result
    }
  }

  /// Queries that see one state of the database.
  func read<Result: Sendable>(_ body: @escaping @Sendable (CatalogReader) throws -> Result) async throws -> Result {
    let reader = readers[next.wrappingAdd(1, ordering: .relaxed).oldValue & Int.max % readers.count]
    return try await reader.perform { connection in
      try connection.run("BEGIN")
      defer { _ = try? connection.run("COMMIT") }
      return try body(CatalogReader(connection))
    }
  }

  func close() async {
    for reader in readers { await reader.close() }
    await writer.close()
    locks.file.release()
    locks.name.release()
  }
}
