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

  /// What `rm` does to a ledger in use: the old file lives on, without a name, in the processes that have it open.
  @Test(arguments: [["", "-wal", "-shm"], [""]], [false, true])
  func aFileThatIsRemovedUnderItsProcessesIsALoss(suffixes: [String], anotherIsMade: Bool) async throws {
    let path = directory.url.appending(path: "removed.sqlite").path
    let policy = QuotaPolicy(limits: [.default: 10])
    func open() async throws -> LedgerQuotaStore {
      LedgerQuotaStore(try await SQLiteLedger.open(path: path), calendar: .fixedPeriod(.seconds(1000)), time: HostTime { 1_500_000 })
    }
    let stores = [try await open(), try await open()]
    for store in stores { _ = try await store.reserve(.default, cost: 4, policy: policy) }
    for suffix in suffixes { try? FileManager.default.removeItem(atPath: path + suffix) }
    let stranger = anotherIsMade ? try await open() : nil
    for store in stores {
      await #expect(throws: QuotaStoreError.self) { try await store.reserve(.default, cost: 1, policy: policy) }
    }
    let newcomer = try await open()
    await #expect(throws: QuotaStoreError.self) { try await newcomer.reserve(.default, cost: 1, policy: policy) }
    try await newcomer.set(.default, spent: 9)
    guard case .granted(let grant) = try await stores[0].reserve(.default, cost: 1, policy: policy) else {
      Issue.record("no grant after the operator's word")
      return
    }
    #expect(grant.remaining == 0, "all of them share the new file")
    for store in stores + [newcomer, stranger].compactMap({ $0 }) { await store.close() }
  }

  /// Others would count from what the file alone tells.
  @Test func aLogThatIsRemovedUnderItsProcessStopsItAndLosesNothing() async throws {
    let path = directory.url.appending(path: "log.sqlite").path
    let policy = QuotaPolicy(limits: [.default: 10])
    func open() async throws -> LedgerQuotaStore {
      LedgerQuotaStore(try await SQLiteLedger.open(path: path), calendar: .fixedPeriod(.seconds(1000)), time: HostTime { 1_500_000 })
    }
    let store = try await open()
    _ = try await store.reserve(.default, cost: 4, policy: policy)
    for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
    let error = await #expect(throws: QuotaStoreError.self) { try await store.reserve(.default, cost: 1, policy: policy) }
    #expect(error?.code == .refused && error?.message.contains("-wal was removed") == true, "\(String(describing: error))")
    await store.close()
    let next = try await open()
    #expect(try await next.status(policy).first?.spent == 4)
    await next.close()
  }

  /// All processes have ended, and nobody remembers; but the log tells that there was a ledger.
  @Test func aFileThatIsGoneWhileItsLogIsThereIsALoss() async throws {
    let path = directory.url.appending(path: "gone.sqlite").path
    try Data("what was spent".utf8).write(to: URL(filePath: path + "-wal"))
    let policy = QuotaPolicy(limits: [.default: 10])
    let time = ManualTime(1_500_000)
    let store = LedgerQuotaStore(
      try await SQLiteLedger.open(path: path), calendar: .fixedPeriod(.seconds(1000)), time: time.hostTime)
    #expect(try await store.status(policy).allSatisfy(\.isDoubted))
    await #expect(throws: QuotaStoreError.self) { try await store.reserve(.default, cost: 1, policy: policy) }
    time.set(2_000_000)
    guard case .granted = try await store.reserve(.default, cost: 1, policy: policy) else {
      Issue.record("the reset ends the doubt")
      return
    }
    await store.close()
  }

  @Test func aProbeWritesAndAStatusDoesNot() async throws {
    let path = directory.url.appending(path: "locked.sqlite").path
    let store = LedgerQuotaStore(
      try await SQLiteLedger.open(path: path, busyTimeout: .milliseconds(1)), calendar: .fixedPeriod(.seconds(10)), time: HostTime { 6 })
    let other = try await Database.open(path)
    // It changes with every commit of another connection.
    func version() async throws -> Int? { try await other.perform { try $0.query("PRAGMA data_version") { $0.int(0) }.first ?? nil } }
    let before = try await version()
    _ = try await store.status(QuotaPolicy())
    #expect(try await version() == before)
    try await store.probe()
    #expect(try await version() != before)
    try await other.perform { try $0.execute("BEGIN IMMEDIATE") }
    let error = await #expect(throws: QuotaStoreError.self) { try await store.probe() }
    #expect(error?.code == .unreachable && error?.remedy?.contains("lock") == true, "\(String(describing: error))")
    try await other.perform { try $0.execute("ROLLBACK") }
    try await store.probe()
    await other.close()
    await store.close()
  }

  @Test(arguments: [(8, "read-only"), (1032, "read-only"), (13, "free space"), (778, "kernel's log")] as [(Int32, String)])
  func filesThatTakeNoWritesHaveARemedy(code: Int32, word: String) {
    let error = QuotaStoreError(sqlite: SQLiteError(extendedCode: code, message: "no"))
    #expect(error.remedy?.contains(word) == true)
  }

  @Test func aFileThatIsNoDatabaseIsNamed() async throws {
    let path = directory.url.appending(path: "letter.txt").path
    try Data(String(repeating: "Dear Sir or Madam, ", count: 100).utf8).write(to: URL(filePath: path))
    let error = await #expect(throws: QuotaStoreError.self) { try await SQLiteLedger.open(path: path) }
    #expect(error?.message.contains(path) == true)
  }

  @Test func aLedgerOfTheFirstReleaseIsCarriedOver() async throws {
    let path = directory.url.appending(path: "first.sqlite").path
    let database = try await Database.open(path)
    try await database.perform {
      try $0.execute(
        """
        CREATE TABLE ledger (only INTEGER PRIMARY KEY CHECK (only = 1), id TEXT NOT NULL, sequence INTEGER NOT NULL, time INTEGER NOT NULL,
          confirmed_at INTEGER NOT NULL) STRICT;
        CREATE TABLE account (bucket TEXT PRIMARY KEY, day_start INTEGER NOT NULL, day_end INTEGER NOT NULL, spent INTEGER NOT NULL,
          exhausted_until INTEGER NOT NULL, drift INTEGER NOT NULL, next_request INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO ledger VALUES (1, 'x', 3, 5, 0);
        INSERT INTO account VALUES ('default', 0, 10000, 70, 0, 0, 0);
        PRAGMA user_version = 1;
        """)
    }
    await database.close()
    let store = LedgerQuotaStore(
      try await SQLiteLedger.open(path: path), calendar: .fixedPeriod(.seconds(10)), time: HostTime { 6 })
    let reservation = try await store.reserve(.default, cost: 1, policy: QuotaPolicy(limits: [.default: 100]))
    guard case .granted(let grant) = reservation else {
      Issue.record("\(reservation)")
      return
    }
    #expect(grant.remaining == 29)
    await store.close()
  }

  @Test func aVersionThatAnEarlierReleaseWroteBackHindersNothing() async throws {
    let path = directory.url.appending(path: "back.sqlite").path
    try await SQLiteLedger.open(path: path).close()
    let database = try await Database.open(path)
    try await database.perform { try $0.execute("PRAGMA user_version = 4") }
    await database.close()
    let store = LedgerQuotaStore(try await SQLiteLedger.open(path: path), calendar: .fixedPeriod(.seconds(10)), time: HostTime { 6 })
    guard case .granted = try await store.reserve(.default, cost: 1, policy: QuotaPolicy()) else { throw CancellationError() }
    await store.close()
  }

  @Test func aLedgerOfALaterReleaseIsRefused() async throws {
    let path = directory.url.appending(path: "later.sqlite").path
    let database = try await Database.open(path)
    try await database.perform { try $0.execute("PRAGMA user_version = 99") }
    await database.close()
    let error = await #expect(throws: QuotaStoreError.self) { try await SQLiteLedger.open(path: path) }
    #expect(error?.code == .refused)
    #expect(error?.message.contains("version 99") == true)
  }

  @Test(arguments: [
    "spent = -9223372036854775808", "spent = 9223372036854775807", "day_end = 9223372036854775807", "next_request = 9223372036854775807",
  ])
  func numbersThatNoLedgerWroteSpendNothing(change: String) async throws {
    let path = directory.url.appending(path: "odd.sqlite").path
    let store = LedgerQuotaStore(try await SQLiteLedger.open(path: path), calendar: .fixedPeriod(.seconds(10)), time: HostTime { 6 })
    _ = try await store.reserve(.default, cost: 1, policy: QuotaPolicy())
    let database = try await Database.open(path)
    try await database.perform { try $0.execute("UPDATE account SET \(change)") }
    await database.close()
    let policy = QuotaPolicy(pacing: .even, requestsPerMinute: 60)
    let refusals: [QuotaStoreError?] = [
      await #expect(throws: QuotaStoreError.self) { try await store.reserve(.default, cost: 1, policy: policy) },
      await #expect(throws: QuotaStoreError.self) { try await store.status(policy) },
    ]
    #expect(refusals.allSatisfy { $0?.code == .refused && $0?.message.contains("no ledger wrote") == true })
    await store.close()
  }

  @Test func aFileThatIsNoDatabaseIsRefused() async throws {
    let path = directory.url.appending(path: "text").path
    try Data(String(repeating: "no database. ", count: 1000).utf8).write(to: URL(filePath: path))
    let error = await #expect(throws: QuotaStoreError.self) { try await SQLiteLedger.open(path: path) }
    #expect(error?.code == .refused)
  }
}
