import Foundation
import Quota
import Redis
import SQLite
import TestSupport

@testable import QuotaStores

extension QuotaStoreEnvironment {
  /// An SQLite file in a directory of its own.
  static func sqlite(in directory: URL) -> QuotaStoreEnvironment {
    let path = directory.appending(path: "\(UInt64.random(in: .min ... .max)).sqlite").path
    let time = ManualTime()
    let change: @Sendable (String) async throws -> Void = { sql in
      let database = try await Database.open(path)
      try await database.perform { try $0.execute(sql) }
      await database.close()
    }
    return QuotaStoreEnvironment(
      makeStore: { LedgerQuotaStore(try await SQLiteLedger.open(path: path), calendar: calendar, time: time.hostTime) },
      setTime: { time.set($0) },
      erase: { try await change("DELETE FROM ledger; DELETE FROM account; DELETE FROM writer") },
      save: {
        let (tables, copy) = (["ledger", "account", "writer"], "copy\(UInt64.random(in: .min ... .max))")
        try await change(tables.map { "CREATE TABLE \(copy)_\($0) AS SELECT * FROM \($0);" }.joined())
        return { try await change(tables.map { "DELETE FROM \($0); INSERT INTO \($0) SELECT * FROM \(copy)_\($0);" }.joined()) }
      })
  }

  /// A ledger under a prefix of its own. The scripts read the time from a key, and the hosts' clocks are 10 minutes ahead of it.
  static func redis(_ url: String) throws -> QuotaStoreEnvironment {
    let prefix = "test:\(UInt64.random(in: .min ... .max)):"
    let connection = RedisConnection(try RedisURL(url))
    let hostTime = ManualTime()
    return QuotaStoreEnvironment(
      makeStore: {
        try RedisQuotaStore(
          url: url, prefix: prefix, calendar: calendar, time: hostTime.hostTime,
          script: QuotaScript(clock: "tonumber(redis.call('GET', '\(prefix)now'))"))
      },
      setTime: { time in
        hostTime.set(time + 600_000)
        _ = try await connection.command(["SET", prefix + "now", String(time)])
      },
      erase: { _ = try await connection.command(["DEL", prefix + "ledger"]) },
      save: {
        guard case .bytes(let dump) = try await connection.command(["DUMP", prefix + "ledger"]) else { return {} }
        return {
          _ = try await connection.command(
            bytes: ["RESTORE", prefix + "ledger", "0"].map { Array($0.utf8) } + [dump, Array("REPLACE".utf8)])
        }
      })
  }
}

/// A directory that goes away with its owner.
final class ScratchDirectory: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "quota-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
