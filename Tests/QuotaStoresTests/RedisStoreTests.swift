import Quota
import Redis
import TestSupport
import Testing

@testable import QuotaStores

@Suite(.timeLimit(.minutes(2)), .enabled(if: RedisServerProcess.isUsable, "redis-server is not installed"))
struct RedisStoreTests {
  private let server: RedisServerProcess

  init() async throws { server = try await RedisServerProcess.start() }

  @Test(arguments: QuotaStoreConformance.cases)
  func conforms(_ conformance: QuotaStoreConformance.Case) async throws {
    defer { server.remove() }
    try await conformance.run(.redis(server.url))
  }

  @Test(arguments: [1, 2, 3, 4])
  func decidesWhatMemoryDecides(seed: UInt64) async throws {
    defer { server.remove() }
    var comparison = QuotaStoreComparison(seed: seed)
    try await comparison.run(steps: 3000, .memory(), try .redis(server.url))
  }

  @Test func theServersClockDecidesWhateverTheHostsSays() async throws {
    defer { server.remove() }
    let calendar = try QuotaCalendar.pacific()
    let policy = QuotaPolicy(limits: [.default: 3])
    var days: Set<QuotaDay> = []
    for offset in [0, 600_000, -600_000, 50 * 86_400_000, -20_000 * 86_400_000] {
      let store = try RedisQuotaStore(url: server.url, calendar: calendar, time: HostTime { HostTime.system.now() + offset })
      switch try await store.reserve(.default, cost: 1, policy: policy) {
      case .granted(let grant): days.insert(grant.day)
      case .denied(let denial): days.insert(denial.day)
      }
      #expect(try await store.status(policy).first?.resetsAt == days.first?.endsAt)
      await store.close()
    }
    #expect(days.count == 1)
    #expect(days.first == calendar.day(containing: HostTime.system.now()))
  }

  @Test func aFlushedServerIsADataLoss() async throws {
    defer { server.remove() }
    let store = try RedisQuotaStore(url: server.url, calendar: .pacific())
    _ = try await store.reserve(.default, cost: 1, policy: QuotaPolicy())
    _ = try await RedisConnection(RedisURL(server.url)).command(["FLUSHALL"])
    let error = await #expect(throws: QuotaStoreError.self) { try await store.reserve(.default, cost: 1, policy: QuotaPolicy()) }
    #expect(error?.code == .dataLoss)
    await store.acceptDataLoss()
    _ = try await store.reserve(.default, cost: 1, policy: QuotaPolicy())
  }

  @Test func aRestartedServerIsFoundAgainAndItsLossReported() async throws {
    defer { server.remove() }
    let store = try RedisQuotaStore(url: server.url, calendar: .pacific())
    _ = try await store.reserve(.default, cost: 1, policy: QuotaPolicy())
    await server.stop()
    let error = await #expect(throws: QuotaStoreError.self) { try await store.reserve(.default, cost: 1, policy: QuotaPolicy()) }
    #expect(error?.code == .unreachable)
    try await server.launch()
    var code = QuotaStoreError.Code.unreachable
    while code == .unreachable, !Task.isCancelled {
      do throws(QuotaStoreError) { _ = try await store.reserve(.default, cost: 1, policy: QuotaPolicy()) } catch { code = error.code }
      await Task.yield()
    }
    #expect(code == .dataLoss)
  }

  @Test func installationsWithTheirOwnPrefixDoNotMeet() async throws {
    defer { server.remove() }
    let policy = QuotaPolicy(limits: [.default: 1])
    for prefix in ["a:", "b:"] {
      let store = try RedisQuotaStore(url: server.url, prefix: prefix, calendar: .pacific())
      guard case .granted = try await store.reserve(.default, cost: 1, policy: policy) else {
        Issue.record("\(prefix) was denied")
        continue
      }
    }
  }

  @Test func aKeyOfAnotherKindIsRefusedNotRetried() async throws {
    defer { server.remove() }
    _ = try await RedisConnection(RedisURL(server.url)).command(["SET", "tubeline:quota:ledger", "text"])
    let store = try RedisQuotaStore(url: server.url, calendar: .pacific())
    let error = await #expect(throws: QuotaStoreError.self) { try await store.reserve(.default, cost: 1, policy: QuotaPolicy()) }
    #expect(error?.code == .refused)
    #expect(error?.message.contains("WRONGTYPE") == true)
  }

  @Test(arguments: [
    ("default.spent", "text"), ("default.spent", "-1"), ("default.until", "1e300"), ("sequence", "nan"), ("default.drift", ""),
  ])
  func numbersThatNoLedgerWroteSpendNothing(field: String, value: String) async throws {
    defer { server.remove() }
    let store = try RedisQuotaStore(url: server.url, calendar: .pacific())
    _ = try await store.reserve(.default, cost: 1, policy: QuotaPolicy())
    _ = try await RedisConnection(RedisURL(server.url)).command(["HSET", "tubeline:quota:ledger", field, value])
    let refusals: [QuotaStoreError?] = [
      await #expect(throws: QuotaStoreError.self) { try await store.reserve(.default, cost: 1, policy: QuotaPolicy()) },
      await #expect(throws: QuotaStoreError.self) { try await store.status(QuotaPolicy()) },
    ]
    #expect(refusals.allSatisfy { $0?.code == .refused && $0?.message.contains("no ledger wrote") == true })
  }

  @Test(arguments: ["start", "end", "spent"]) func anAccountThatLostAFieldSpendsNothing(field: String) async throws {
    defer { server.remove() }
    let store = try RedisQuotaStore(url: server.url, calendar: .pacific())
    _ = try await store.reserve(.default, cost: 1, policy: QuotaPolicy())
    _ = try await RedisConnection(RedisURL(server.url)).command(["HDEL", "tubeline:quota:ledger", "default.\(field)"])
    let refusals: [QuotaStoreError?] = [
      await #expect(throws: QuotaStoreError.self) { try await store.reserve(.default, cost: 1, policy: QuotaPolicy()) },
      await #expect(throws: QuotaStoreError.self) { try await store.status(QuotaPolicy()) },
    ]
    #expect(refusals.allSatisfy { $0?.code == .refused && $0?.message.contains("no ledger wrote") == true })
  }

  @Test func processesOfYesterdayAreForgotten() async throws {
    defer { server.remove() }
    let connection = RedisConnection(try RedisURL(server.url))
    let script = QuotaScript(clock: "tonumber(redis.call('GET', 'now'))")
    let day = 86_400_000
    for (time, processes) in [(100 * day + 1, 3), (101 * day + 1, 1)] {
      _ = try await connection.command(["SET", "now", "\(time)"])
      for _ in 0..<processes {
        let store = try RedisQuotaStore(
          url: server.url, prefix: "test:", calendar: QuotaStoreEnvironment.calendar, time: HostTime { time }, script: script)
        _ = try await store.reserve(.default, cost: 1, policy: QuotaPolicy())
        await store.close()
      }
      let fields = try await connection.command(["HKEYS", "test:ledger"]).array ?? []
      #expect(fields.count { $0.string?.hasPrefix("writer.") == true } == processes)
    }
  }

  @Test func processesThatStartAgainAndAgainAreForgotten() async throws {
    defer { server.remove() }
    let connection = RedisConnection(try RedisURL(server.url))
    let store = try RedisQuotaStore(url: server.url, calendar: .pacific())
    _ = try await store.reserve(.default, cost: 1, policy: QuotaPolicy())
    for number in 1...Ledger.mostWriters {
      _ = try await connection.command(["HSET", "tubeline:quota:ledger", "writer.w\(number)", "\(number) \(number)"])
    }
    let newcomer = try RedisQuotaStore(url: server.url, calendar: .pacific())
    try await newcomer.remember()
    let fields = try await connection.command(["HKEYS", "tubeline:quota:ledger"]).array ?? []
    #expect(fields.count { $0.string?.hasPrefix("writer.") == true } == Ledger.mostWriters / 2 + 1)
    for one in [store, newcomer] {
      guard case .granted = try await one.reserve(.default, cost: 1, policy: QuotaPolicy()) else { throw CancellationError() }
      await one.close()
    }
  }

  @Test func theLedgerExpiresLongAfterItsLastChange() async throws {
    defer { server.remove() }
    let store = try RedisQuotaStore(url: server.url, calendar: .pacific())
    _ = try await store.reserve(.default, cost: 1, policy: QuotaPolicy())
    let seconds = try await RedisConnection(RedisURL(server.url)).command(["TTL", "tubeline:quota:ledger"])
    #expect((seconds.int ?? 0) > 365 * 86_400)
  }
}
