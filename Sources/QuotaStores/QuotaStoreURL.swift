public import Quota

/// Opens the store that a setting names.
public enum QuotaStoreURL {
  /// `redis://[user:password@]host:port/db`, `sqlite:///absolute/path`, `sqlite:path`, or `memory:` (this process alone, for tests).
  ///
  /// Redis is connected with the first operation; an SQLite file is opened at once. Throws `invalid` for any other text.
  public static func open(
    _ url: String, calendar: QuotaCalendar, prefix: String = "tubeline:quota:", time: HostTime = .system
  ) async throws(QuotaStoreError) -> any QuotaStore {
    if isRedis(url) { return try RedisQuotaStore(url: url, prefix: prefix, calendar: calendar, time: time) }
    if let path = sqlitePath(url) {
      return LedgerQuotaStore(try await SQLiteLedger.open(path: path), calendar: calendar, time: time)
    }
    if url == "memory:" { return LedgerQuotaStore(MemoryLedger(), calendar: calendar, time: time) }
    throw unusable
  }

  /// The watermarks in the same database. `scope` separates installations that share a ledger: what one has published, another has not.
  public static func openWatermarks(
    _ url: String, scope: String, prefix: String = "tubeline:quota:", time: HostTime = .system
  ) async throws(QuotaStoreError) -> any WatermarkStore {
    if isRedis(url) { return try RedisWatermarkStore(url: url, scope: scope, prefix: prefix) }
    if let path = sqlitePath(url) { return try await SQLiteWatermarkStore.open(path: path, scope: scope, time: time) }
    if url == "memory:" { return MemoryWatermarkStore(time: time) }
    throw unusable
  }

  private static func isRedis(_ url: String) -> Bool {
    url.hasPrefix("redis://") || url.hasPrefix("rediss://") || url.hasPrefix("unix://")
  }

  private static let unusable = QuotaStoreError(
    .invalid,
    "The quota store's address is unusable; allowed are redis://[user:password@]host:port/db, "
      + "unix:///path (of Redis's socket), sqlite:///absolute/path and sqlite:path.")

  private static func sqlitePath(_ url: String) -> String? {
    guard url.hasPrefix("sqlite:") else { return nil }
    let rest = url.dropFirst(7)
    let path = rest.hasPrefix("//") ? rest.dropFirst(2) : rest
    // sqlite://name would be a host; SQLite itself reads an empty path as a temporary file, which would forget what was spent.
    guard !path.isEmpty, path != ":memory:", !rest.hasPrefix("//") || path.hasPrefix("/") else { return nil }
    return String(path)
  }
}
