import Foundation
import Processes
import Quota
import QuotaStores
import TestSupport
import Testing

/// Sixteen processes, clocks up to ten minutes wrong, days of one second.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct HammerTests {
  private struct Report: Decodable {
    let grantedByDay: [String: Int]
    let granted: Int
    let errors: Int
  }

  private let limit = 400

  @Test func sixteenProcessesOnSQLiteNeverPassTheLimitAndLoseNothing() async throws {
    let directory = try ScratchDirectory()
    try await hammer("sqlite:\(directory.url.appending(path: "ledger.sqlite").path)", serverDecides: false)
  }

  @Test(.enabled(if: RedisServerProcess.isUsable, "redis-server is not installed"))
  func sixteenProcessesOnRedisNeverPassTheLimitAndLoseNothing() async throws {
    let server = try await RedisServerProcess.start()
    defer { server.remove() }
    try await hammer(server.url, serverDecides: true)
  }

  private func hammer(_ url: String, serverDecides: Bool) async throws {
    let reports = try await withThrowingTaskGroup(of: Report.self) { group in
      for index in 0..<16 {
        let offset = (index - 8) * 75_000
        group.addTask {
          try await run(["--store", url, "--limit", "\(limit)", "--period", "1000", "--offset", "\(offset)", "--seconds", "4"])
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(reports.map(\.errors).reduce(0, +) == 0)
    let days = reports.flatMap(\.grantedByDay).reduce(into: [:]) { $0[$1.key, default: 0] += $1.value }
    #expect(days.values.allSatisfy { $0 <= limit })
    let last = try #require(days.keys.compactMap { Int($0) }.max())
    #expect(days.count >= 3)
    // The ledger itself is read by a clock inside its last day.
    let store = try await QuotaStoreURL.open(url, calendar: .fixedPeriod(.seconds(1)), time: HostTime { last })
    guard !serverDecides else { return try expectFullDays(days, except: last) }
    let status = try await store.status(QuotaPolicy(limits: [.default: limit]))
    #expect(status.first?.spent == days["\(last)"])
    await store.close()
  }

  // A day that a process saw from its beginning to its end is granted to the last unit: what is missing would be lost.
  private func expectFullDays(_ days: [String: Int], except last: Int) throws {
    let whole = days.keys.compactMap { Int($0) }.sorted().dropFirst().filter { $0 != last }
    #expect(whole.count >= 2)
    for day in whole { #expect(days["\(day)"] == limit) }
  }

  private func run(_ arguments: [String]) async throws -> Report {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "quota-hammer")
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    _ = try await ChildProcess.start(
      Program(program.path, arguments, environment: [:]), onLine: { continuation.yield($1) }, onEnd: { _ in continuation.finish() })
    let text = await lines.reduce(into: "") { $0 += $1 + "\n" }
    return try JSONDecoder().decode(Report.self, from: Data(text.utf8))
  }
}
