import FoundationEssentials
import Quota
import QuotaStores
import TestSupport
import Testing

@testable import TubelineCLI

/// What doctor and `quota show` say of a ledger that answers and yet grants nothing, or may be forgotten.
@Suite(.timeLimit(.minutes(1)))
struct LedgerCheckTests {
  @Test func aClockBehindTheLedgerIsAProblemUntilTheOperatorsWord() async throws {
    let time = ManualTime(20_000 * 86_400_000)
    let store = LedgerQuotaStore(MemoryLedger(), calendar: .fixedPeriod(.seconds(86_400)), time: time.hostTime)
    _ = try await store.reserve(.default, cost: 4, policy: QuotaPolicy())
    #expect(await LedgerCheck.findings(store, QuotaPolicy()).allSatisfy { $0.isGood == true })
    time.set(time.now - 2 * 3_600_000)
    let problem = try #require(await LedgerCheck.findings(store, QuotaPolicy()).first { $0.isGood == false })
    #expect(problem.detail.contains("clock") && problem.remedy?.contains("tubeline quota set default UNITS") == true)
    let behind = try await store.status(QuotaPolicy())
    #expect(behind.map(QuotaShowCommand.state).allSatisfy { $0.hasPrefix("stopped, the store's clock is 2 h behind") })
    #expect(QuotaShowCommand.json(behind[0])["clockBehindSeconds"] == 7200)
    try await store.set(.default, spent: 4)
    #expect(await LedgerCheck.findings(store, QuotaPolicy()).allSatisfy { $0.isGood == true })
    #expect(try await store.status(QuotaPolicy()).map(QuotaShowCommand.state).allSatisfy { $0 == "ok" })
    await store.close()
  }

  @Test(.enabled(if: RedisServerProcess.isUsable, "redis-server is not installed"))
  func aServerThatTakesNoWritesIsAProblem() async throws {
    let server = try await RedisServerProcess.start(arguments: ["--min-replicas-to-write", "1"])
    defer { server.remove() }
    let store = try await QuotaStoreURL.open(server.url, calendar: .pacific())
    let problems = await LedgerCheck.findings(store, QuotaPolicy()).filter { $0.isGood == false }
    #expect(problems.map(\.check) == ["ledger write", "ledger kept"])
    #expect(problems.first?.remedy?.contains("min-replicas-to-write") == true)
    await store.close()
    let watermarks = try await QuotaStoreURL.openWatermarks(server.url, scope: "")
    #expect(try await watermarks.read("UUa").watermark == nil)
    #expect(await LedgerCheck.watermarks(watermarks).remedy?.contains("min-replicas-to-write") == true)
    await watermarks.close()
  }

  @Test(
    arguments: [
      (RedisDurability(isAppendOnly: true, fsync: "always"), true, "always"),
      (RedisDurability(isAppendOnly: true, fsync: "everysec"), nil, "everysec"),
      (RedisDurability(isAppendOnly: true, fsync: "no"), false, "appendfsync no"),
      (RedisDurability(isAppendOnly: true), nil, "may not look"),
      (RedisDurability(isAppendOnly: false, fsync: "always"), false, "no append-only file"),
      (RedisDurability(), nil, "may not look"),
    ] as [(RedisDurability, Bool?, String)])
  func anAppendOnlyFileThatIsAlwaysWrittenKeepsTheLedger(told: RedisDurability, isGood: Bool?, says: String) throws {
    let finding = try #require(LedgerCheck.durability(told).first)
    #expect(finding.isGood == isGood && finding.detail.contains(says), "\(finding.text(width: nil))")
  }

  @Test(
    arguments: [
      ("noeviction", 100, true), ("allkeys-lru", 100, false), ("volatile-ttl", 100, false), ("allkeys-lru", 0, nil), (nil, nil, nil),
    ] as [(String?, Int?, Bool?)])
  func whatMayBeEvictedIsTold(policy: String?, maxMemory: Int?, isGood: Bool?) throws {
    let finding = try #require(LedgerCheck.durability(RedisDurability(eviction: policy, maxMemory: maxMemory)).last)
    #expect(finding.isGood == isGood, "\(finding.text(width: nil))")
  }

  @Test func watermarksThatCannotBeWrittenAreAProblem() async throws {
    let store = MemoryWatermarkStore()
    #expect(await LedgerCheck.watermarks(store).isGood == true)
    await store.close()
    let finding = await LedgerCheck.watermarks(store)
    #expect(finding.check == "watermarks" && finding.isGood == false)
  }
}
