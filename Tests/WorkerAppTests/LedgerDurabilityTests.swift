import Quota
import QuotaStores
import TestSupport
import Testing

@testable import WorkerApp

@Suite(.timeLimit(.minutes(1)), .enabled(if: RedisServerProcess.isUsable, "redis-server is not installed"))
struct LedgerDurabilityTests {
  private func warnings(_ url: String) async throws -> [String] {
    let recorder = LogRecorder()
    let store = try await QuotaStoreURL.open(url, calendar: .pacific())
    await LedgerDurability.warn(store, recorder.logger("quota", level: .info))
    await store.close()
    return recorder.messages
  }

  @Test(arguments: [([], 1), (["--appendonly", "yes"], 0), (["--rename-command", "INFO", ""], 0)])
  func aServerWithoutAppendOnlyFileIsWarnedOfOnce(options: [String], count: Int) async throws {
    let server = try await RedisServerProcess.start(arguments: options)
    defer { server.remove() }
    let warnings = try await warnings(server.url)
    #expect(warnings.count == count && warnings.allSatisfy { $0.contains("append-only file") }, "\(warnings)")
  }

  @Test(arguments: ["memory:", "unix:///nonexistent/socket"])
  func othersAreNot(url: String) async throws { #expect(try await warnings(url).isEmpty) }
}
