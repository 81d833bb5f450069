import Foundation
import Quota
import SQLite
import TestSupport
import Testing

@testable import QuotaStores

@Suite(.timeLimit(.minutes(2)))
struct SQLiteStoreTests {
  private let directory: ScratchDirectory

  init() throws { directory = try ScratchDirectory() }

  @Test(arguments: QuotaStoreConformance.cases)
  func conforms(_ conformance: QuotaStoreConformance.Case) async throws {
    try await conformance.run(.sqlite(in: directory.url))
  }

  @Test(arguments: [1, 2])
  func decidesWhatMemoryDecides(seed: UInt64) async throws {
    var comparison = QuotaStoreComparison(seed: seed)
    try await comparison.run(steps: 1000, .memory(), .sqlite(in: directory.url))
  }

  @Test func whatIsSpentSurvivesARestart() async throws {
    let environment = QuotaStoreEnvironment.sqlite(in: directory.url)
    try await environment.setTime(1_000_000)
    let first = try await environment.makeStore()
    _ = try await first.reserve(.default, cost: 70, policy: QuotaPolicy(limits: [.default: 100]))
    await first.close()
    let second = try await environment.makeStore()
    #expect(try await second.status(QuotaPolicy(limits: [.default: 100])).first?.remaining == 30)
    await second.close()
  }

  @Test func aLedgerOfALaterReleaseIsRefused() async throws {
    let path = directory.url.appending(path: "later.sqlite").path
    let database = try await Database.open(path)
    try await database.perform { try $0.execute("PRAGMA user_version = 2") }
    await database.close()
    let error = await #expect(throws: QuotaStoreError.self) { try await SQLiteLedger.open(path: path) }
    #expect(error?.code == .refused)
    #expect(error?.message.contains("version 2") == true)
  }

  @Test func aFileThatIsNoDatabaseIsRefused() async throws {
    let path = directory.url.appending(path: "text").path
    try Data(String(repeating: "no database. ", count: 1000).utf8).write(to: URL(filePath: path))
    let error = await #expect(throws: QuotaStoreError.self) { try await SQLiteLedger.open(path: path) }
    #expect(error?.code == .refused)
  }
}
