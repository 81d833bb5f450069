import Quota
import Redis
import TestSupport
import Testing

@testable import QuotaStores

/// Servers that answer and yet do not take or keep a ledger.
@Suite(.timeLimit(.minutes(1)), .enabled(if: RedisServerProcess.isUsable, "redis-server is not installed"))
struct RedisHealthTests {
  private let server: RedisServerProcess
  private let administrator: RedisConnection

  init() async throws {
    server = try await RedisServerProcess.start()
    administrator = RedisConnection(try RedisURL(server.url))
  }

  private func store() throws -> RedisQuotaStore { try RedisQuotaStore(url: server.url, calendar: .pacific()) }

  private func command(_ words: String) async throws {
    _ = try await administrator.command(words.split(separator: " ").map(String.init))
  }

  @Test(arguments: [
    ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE", "READONLY", "primary"),
    ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0", "OOM", "maxmemory"),
    ("CONFIG SET min-replicas-to-write 1", "CONFIG SET min-replicas-to-write 0", "NOREPLICAS", "min-replicas-to-write"),
  ])
  func aProbeMeetsWhatAReservationWouldMeet(breaking: String, mending: String, word: String, remedy: String) async throws {
    defer { server.remove() }
    let store = try store()
    _ = try await store.reserve(.default, cost: 4, policy: QuotaPolicy())
    try await store.probe()
    try await command(breaking)
    #expect(try await store.status(QuotaPolicy()).first?.spent == 4, "a look is allowed")
    for error in [
      await #expect(throws: QuotaStoreError.self) { try await store.reserve(.default, cost: 1, policy: QuotaPolicy()) },
      await #expect(throws: QuotaStoreError.self) { try await store.probe() },
    ] {
      #expect(error?.code == .unreachable && error?.message.contains(word) == true, "\(String(describing: error))")
      #expect(error?.remedy?.contains(remedy) == true)
    }
    try await command(mending)
    try await store.probe()
    #expect(try await store.status(QuotaPolicy()).first?.spent == 4)
    await store.close()
  }

  @Test func aProbeIsNoPartOfTheLedgerAndGoesAway() async throws {
    defer { server.remove() }
    let store = try store()
    try await store.probe()
    #expect(try await administrator.command(["EXISTS", "tubeline:quota:ledger"]) == .integer(0))
    let left = try #require(try await administrator.command(["TTL", "tubeline:quota:probe"]).int)
    #expect((1...60).contains(left))
    await store.close()
  }

  @Test func aServerWithTooManyClientsIsWaitedFor() async throws {
    defer { server.remove() }
    try await command("CONFIG SET maxclients 1")
    let store = try store()
    let error = await #expect(throws: QuotaStoreError.self) { try await store.remember() }
    #expect(error?.code == .unreachable, "\(String(describing: error))")
    try await command("CONFIG SET maxclients 100")
    try await store.remember()
    await store.close()
  }

  @Test(arguments: [
    ("max number of clients reached", true), ("max number of clients + cluster connections reached", true),
    ("Error running script (call to f_a): @user_script:9: @user_script: 9: -READONLY You can't write against a read only replica.", true),
    (
      "Error running script (call to f_ab): @user_script:9: @user_script: 9: -OOM command not allowed when used memory > 'maxmemory'.", true
    ),
    ("unknown command 'EVALSHA'", false), ("DB index is out of range", false),
    ("Error running script (call to f_ab): @user_script:9: WRONGTYPE Operation against a key holding the wrong kind of value", false),
  ])
  func plainErrorsThatPassAreToldFromOthers(text: String, passes: Bool) {
    defer { server.remove() }
    let error = RedisError(.server("ERR"), "ERR \(text)")
    #expect(error.isRetriable == passes)
    #expect(QuotaStoreError(redis: error).code == (passes ? .unreachable : .refused))
    #expect(error.isWrongType == text.contains("WRONGTYPE"))
  }

  @Test(arguments: ["SET tubeline:quota:ledger x", "HSET tubeline:quota:ledger sequence 12x", "HSET tubeline:quota:ledger default.start x"])
  func aKeyThatHoldsSomethingElseIsNamedWithItsRemedy(breaking: String) async throws {
    defer { server.remove() }
    try await command(breaking)
    let store = try store()
    for error in [
      await #expect(throws: QuotaStoreError.self) { try await store.status(QuotaPolicy()) },
      await #expect(throws: QuotaStoreError.self) { try await store.set(.default, spent: 3) },
      await #expect(throws: QuotaStoreError.self) { try await store.reserve(.default, cost: 1, policy: QuotaPolicy()) },
    ] {
      #expect(error?.code == .refused && error?.remedy?.contains("database of its own") == true)
      for part in ["tubeline:quota:ledger", "redis-cli DEL tubeline:quota:ledger", "tubeline quota set default"] {
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
      }
    }
    try await command("DEL tubeline:quota:ledger")
    _ = try await store.set(.default, spent: 3)
    await store.close()
  }

  @Test func aWatermarkOfAnotherTypeIsNamed() async throws {
    defer { server.remove() }
    try await command("SET tubeline:quota:watermark:s:UUa x")
    let store = try RedisWatermarkStore(url: server.url, scope: "s")
    let error = await #expect(throws: QuotaStoreError.self) { try await store.read("UUa") }
    #expect(error?.message.contains("redis-cli DEL tubeline:quota:watermark:s:UUa") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("quota set") == false)
    #expect(error?.code == .foreignValue, "it concerns one list")
    try await store.probe()
    #expect(try await store.read("UUb").watermark == nil)
    await store.close()
  }

  @Test func whatTheServerKeepsIsRead() async throws {
    defer { server.remove() }
    let store = try store()
    #expect(
      try await store.durability() == RedisDurability(isAppendOnly: false, fsync: "everysec", eviction: "noeviction", maxMemory: 0))
    for change in ["appendonly yes", "appendfsync always", "maxmemory 100mb", "maxmemory-policy allkeys-lru"] {
      try await command("CONFIG SET \(change)")
    }
    #expect(
      try await store.durability()
        == RedisDurability(isAppendOnly: true, fsync: "always", eviction: "allkeys-lru", maxMemory: 104_857_600))
    await store.close()
  }

  @Test func whatAUserMayNotSeeIsNil() async throws {
    defer { server.remove() }
    try await command("ACL SETUSER worker on >secret \(RedisPermissions.rules())")
    func durability() async throws -> RedisDurability {
      let store = try RedisQuotaStore(url: server.url.replacing("unix://", with: "unix://worker:secret@"), calendar: .pacific())
      let durability = try await store.durability()
      await store.close()
      return durability
    }
    #expect(try await durability() == RedisDurability())
    try await command("ACL SETUSER worker +info")
    #expect(try await durability() == RedisDurability(isAppendOnly: false, eviction: "noeviction", maxMemory: 0))
    try await command("ACL SETUSER worker +config|get")
    #expect(try await durability().fsync == "everysec")
  }
}
