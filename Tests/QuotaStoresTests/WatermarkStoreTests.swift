import Foundation
import Quota
import Redis
import SQLite
import TestSupport
import Testing

@testable import QuotaStores

@Suite(.timeLimit(.minutes(1)))
struct WatermarkStoreTests {
  @Test(arguments: WatermarkStoreConformance.cases)
  func memoryConforms(_ conformance: WatermarkStoreConformance.Case) async throws { try await conformance.run(.memory()) }

  @Test(arguments: WatermarkStoreConformance.cases)
  func sqliteConforms(_ conformance: WatermarkStoreConformance.Case) async throws {
    let directory = try ScratchDirectory()
    try await conformance.run(.sqlite(in: directory.url))
  }

  @Test(.enabled(if: RedisServerProcess.isUsable, "redis-server is not installed"), arguments: WatermarkStoreConformance.cases)
  func redisConforms(_ conformance: WatermarkStoreConformance.Case) async throws {
    let server = try await RedisServerProcess.start()
    defer { server.remove() }
    try await conformance.run(.redis(server.url))
  }

  @Test func theyLiveInTheLedgersFileAndLeaveTheLedgerAsItIs() async throws {
    let directory = try ScratchDirectory()
    let path = directory.url.appending(path: "quota.db").path
    let watermarks = try await QuotaStoreURL.openWatermarks("sqlite://\(path)", scope: "")
    try await watermarks.advance("UUa", to: CompletedListing(ids: ["a"], startedAt: HostTime.system.now(), isFullPass: true))
    let ledger = try await QuotaStoreURL.open("sqlite://\(path)", calendar: .pacific())
    _ = try await ledger.reserve(.default, cost: 1, policy: QuotaPolicy())
    #expect(try await watermarks.read("UUa").watermark?.ids == ["a"])
    #expect(try await ledger.status(QuotaPolicy()).first?.spent == 1)
    await watermarks.close()
    await ledger.close()
  }

  @Test func anOpenedFileForgetsWhatMayBeKeptNoLonger() async throws {
    let directory = try ScratchDirectory()
    let path = directory.url.appending(path: "quota.db").path
    let time = ManualTime(1_000_000)
    let first = try await SQLiteWatermarkStore.open(path: path, scope: "a", time: time.hostTime)
    try await first.advance("UUa", to: CompletedListing(ids: ["a"], startedAt: 1_000_000, isFullPass: true))
    await first.close()
    time.set(1_000_001 + Watermark.lifetime)
    await (try SQLiteWatermarkStore.open(path: path, scope: "b", time: time.hostTime)).close()
    let database = try await Database.open(path)
    #expect(try await database.perform { try $0.query("SELECT list FROM watermark") { $0.text(0) } }.isEmpty)
    await database.close()
  }

  @Test(.enabled(if: RedisServerProcess.isUsable, "redis-server is not installed"))
  func redisForgetsByItself() async throws {
    let server = try await RedisServerProcess.start()
    defer { server.remove() }
    let store = try await QuotaStoreURL.openWatermarks(server.url, scope: "t-")
    let now = try await store.read("UUa").now
    try await store.advance("UUa", to: CompletedListing(ids: ["a"], startedAt: now - 86_400_000, isFullPass: true))
    try await store.bar("UUb", startedUntil: now)
    let connection = RedisConnection(try RedisURL(server.url))
    let days = { (list: String) async throws in
      Double(try await connection.command(["PTTL", "tubeline:quota:watermark:t-:\(list)"]).int ?? 0) / 86_400_000
    }
    #expect(abs(try await days("UUa") - 28) < 0.1, "counted from when the data was fetched")
    #expect(abs(try await days("UUb") - 29) < 0.1)
    await connection.close()
    await store.close()
  }

  @Test(.enabled(if: RedisServerProcess.isUsable, "redis-server is not installed"), arguments: foreignTimes)
  func timesInRedisThatNoWorkerWroteAreNamed(field: String, value: String) async throws {
    let server = try await RedisServerProcess.start()
    defer { server.remove() }
    let store = try await QuotaStoreURL.openWatermarks(server.url, scope: "t-")
    let listing = CompletedListing(ids: ["a"], startedAt: try await store.read("UUa").now, isFullPass: true)
    try await store.advance("UUa", to: listing)
    let key = "tubeline:quota:watermark:t-:UUa"
    _ = try await RedisConnection(RedisURL(server.url)).command(["HSET", key, field, value])
    let error = await #expect(throws: QuotaStoreError.self) { try await store.read("UUa") }
    #expect(error?.code == .foreignValue && error?.message.contains(key) == true)
    #expect(try await store.read("UUb").watermark == nil)
    // The next completed listing mends what it writes.
    try await store.advance("UUa", to: CompletedListing(ids: ["b"], startedAt: listing.startedAt + 1, isFullPass: true))
    #expect(try await store.read("UUa").watermark?.ids == ["b"])
    await store.close()
  }

  @Test(arguments: foreignTimes.filter { Int($0.1) != nil })
  func timesInSQLiteThatNoWorkerWroteAreNamed(field: String, value: String) async throws {
    let directory = try ScratchDirectory()
    let path = directory.url.appending(path: "quota.db").path
    let store = try await SQLiteWatermarkStore.open(path: path, scope: "a")
    try await store.advance("UUa", to: CompletedListing(ids: ["a"], startedAt: HostTime.system.now(), isFullPass: true))
    let column = ["started": "started_at", "completed": "completed_at", "full": "full_pass_at"][field] ?? ""
    let database = try await Database.open(path)
    try await database.perform { try $0.execute("UPDATE watermark SET \(column) = \(value)") }
    let error = await #expect(throws: QuotaStoreError.self) { try await store.read("UUa") }
    #expect(error?.code == .foreignValue && error?.message.contains("UUa") == true)
    #expect(try await store.read("UUb").watermark == nil)
    await database.close()
    await store.close()
  }

  private static let foreignTimes = [
    ("started", "-9223372036854775808"), ("started", "9223372036854775807"), ("started", "nan"), ("started", "text"),
    ("completed", "-1"), ("full", "-9223372036854775808"), ("full", "1e300"),
  ]

  @Test func storesThatAreUnusableSaySo() async throws {
    let error = await #expect(throws: QuotaStoreError.self) { try await QuotaStoreURL.openWatermarks("http://x", scope: "") }
    #expect(error?.code == .invalid)
    let away = try await QuotaStoreURL.openWatermarks("unix:///nonexistent/redis.sock", scope: "")
    let unreachable = await #expect(throws: QuotaStoreError.self) { try await away.read("UUa") }
    #expect(unreachable?.code == .unreachable)
  }
}

extension WatermarkStoreEnvironment {
  static func sqlite(in directory: URL) -> WatermarkStoreEnvironment {
    let path = directory.appending(path: "watermarks.sqlite").path
    let time = ManualTime()
    return WatermarkStoreEnvironment(
      makeStore: { try await SQLiteWatermarkStore.open(path: path, scope: $0, time: time.hostTime) }, setTime: { time.set($0) })
  }

  /// The scripts read the time from a key.
  static func redis(_ url: String) throws -> WatermarkStoreEnvironment {
    let connection = RedisConnection(try RedisURL(url))
    return WatermarkStoreEnvironment(
      makeStore: {
        try RedisWatermarkStore(
          url: url, scope: $0, prefix: "test:", script: WatermarkScript(clock: "tonumber(redis.call('GET', 'now'))"))
      },
      setTime: { _ = try await connection.command(["SET", "now", String($0)]) })
  }
}
