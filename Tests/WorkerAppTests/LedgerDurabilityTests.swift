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

  // One that is away may be there when it is needed; one that is refused is a setting to mend.
  @Test func watermarksOutOfReachAreToldUnlessTheStoreIsAway() async throws {
    let server = try await RedisServerProcess.start()
    defer { server.remove() }
    for (url, count) in [(server.url, 0), ("unix:///nonexistent/socket", 0), (server.url.replacing("unix://", with: "unix://bob:x@"), 1)] {
      let recorder = LogRecorder()
      let store = try await QuotaStoreURL.openWatermarks(url, scope: "")
      await LedgerDurability.warn(store, recorder.logger("watermarks", level: .info))
      await store.close()
      #expect(recorder.messages.count == count, "\(url): \(recorder.messages)")
    }
  }

  @Test(arguments: ["memory:", "unix:///nonexistent/socket"])
  func othersAreNot(url: String) async throws { #expect(try await warnings(url).isEmpty) }
}
