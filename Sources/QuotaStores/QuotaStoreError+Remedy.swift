public import Quota
import Redis
import SQLite

extension QuotaStoreError {
  /// What mends it where the store's own words do not say so: Redis that takes no writes, a file that takes none.
  public var remedy: String? {
    switch underlying {
    case let error as RedisError: Self.redisRemedies.first(where: { error.message.contains($0.word) })?.remedy
    case let error as SQLiteError: Self.sqliteRemedies[error.code]
    default: nil
    }
  }

  private static let redisRemedies: [(word: String, remedy: String)] = [
    ("READONLY", "this server is a replica: set QUOTA_STORE to the primary, or end its role with REPLICAOF NO ONE"),
    ("OOM", "memory is full: raise maxmemory, or give the ledger a server of its own (it needs a few kilobytes)"),
    ("MISCONF", "the server cannot write to its disk: see its log, free space"),
    ("NOREPLICAS", "too few replicas are connected: bring them back, or lower min-replicas-to-write"),
    ("max number of clients", "raise maxclients, or close connections"),
    ("WRONGTYPE", "free the key as it says, or give the ledger a database of its own (redis://host:6379/1)"),
    ("no ledger wrote", "free the key as it says, or give the ledger a database of its own (redis://host:6379/1)"),
    ("LOADING", "the server reads its data: wait"),
  ]

  // https://sqlite.org/rescode.html
  private static let sqliteRemedies: [Int32: String] = [
    5: "another process holds the lock: end the one that hangs (fuser FILE)",
    8: "let this user write the file, its -wal and -shm, and their directory; see whether the disk is mounted read-only",
    10: "see whether the disk is full (df), and the kernel's log for its errors", 13: "the disk is full: free space",
  ]
}
