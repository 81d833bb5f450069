public import Quota
import Redis

/// What a Redis or Valkey server says of how well it keeps what it is told; nil where it does not let this user look.
public struct RedisDurability: Sendable, Equatable {
  /// Whether there is an append-only file (`appendonly`).
  public var isAppendOnly: Bool?
  /// When that file is written to the disk: `always`, `everysec` or `no`.
  public var fsync: String?
  /// `maxmemory-policy`: which keys go when memory is short.
  public var eviction: String?
  /// Bytes; 0 is no limit, and nothing is evicted.
  public var maxMemory: Int?

  public init(isAppendOnly: Bool? = nil, fsync: String? = nil, eviction: String? = nil, maxMemory: Int? = nil) {
    self.isAppendOnly = isAppendOnly
    self.fsync = fsync
    self.eviction = eviction
    self.maxMemory = maxMemory
  }

  init(info: String, fsync: String?) {
    var fields: [Substring: Substring] = [:]
    for line in info.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { fields[parts[0]] = parts[1] }
    }
    self.init(
      isAppendOnly: fields["aof_enabled"].map { $0 != "0" }, fsync: fsync, eviction: fields["maxmemory_policy"].map(String.init),
      maxMemory: fields["maxmemory"].flatMap { Int($0) })
  }
}

extension RedisQuotaStore {
  /// Asks with INFO and CONFIG GET. Throws when there is no answer; an answer that the server withholds is nil.
  public func durability() async throws(QuotaStoreError) -> RedisDurability {
    var info = ""
    for section in ["persistence", "memory"] { info += try await permitted(["INFO", section])?.string ?? "" }
    let fsync = try await permitted(["CONFIG", "GET", "appendfsync"])?.array
    return RedisDurability(info: info, fsync: fsync.flatMap { $0.count == 2 ? $0[1].string : nil })
  }

  // Hosted servers have no CONFIG at all, or under another name.
  private func permitted(_ command: [String]) async throws(QuotaStoreError) -> RedisValue? {
    do throws(RedisError) { return try await connection.command(command) } catch {
      if case .server = error.code, !error.isRetriable { return nil }
      throw QuotaStoreError(redis: error)
    }
  }
}
