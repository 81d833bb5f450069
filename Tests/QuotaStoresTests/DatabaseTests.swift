import SQLite
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DatabaseTests {
  private let directory: ScratchDirectory
  private var path: String { directory.url.appending(path: "test.sqlite").path }

  init() throws { directory = try ScratchDirectory() }

  @Test func valuesOfEveryTypeComeBack() async throws {
    let database = try await Database.open(path)
    let values: [SQLiteValue] = [
      nil, 7, .integer(.min), 1.5, "", "a\u{0}b 🎬", .blob([]), .blob([0, 255]), SQLiteValue(Int?.none), SQLiteValue("text"),
    ]
    let read = try await database.perform { connection in
      try connection.execute("CREATE TABLE t (v)")
      for value in values { try connection.run("INSERT INTO t VALUES (?)", [value]) }
      return try connection.query("SELECT v FROM t ORDER BY rowid") { $0.value(0) }
    }
    #expect(read == values)
  }

  @Test func aTransactionThatThrowsLeavesNothing() async throws {
    struct Refusal: Error {}
    let database = try await Database.open(path)
    try await database.perform { try $0.execute("CREATE TABLE t (v)") }
    await #expect(throws: Refusal.self) {
      try await database.transaction { connection in
        try connection.run("INSERT INTO t VALUES (1)")
        throw Refusal()
      }
    }
    let changed = try await database.transaction { connection in
      try connection.run("INSERT INTO t VALUES (?), (?)", [2, 3])
    }
    #expect(changed == 2)
    #expect(try await database.perform { try $0.query("SELECT v FROM t") { $0.int(0) } } == [2, 3])
  }

  @Test func aStatementThatRunsIsNotHandedOutTwice() async throws {
    let database = try await Database.open(":memory:")
    let pairs = try await database.perform { connection in
      try connection.execute("CREATE TABLE t (v); INSERT INTO t VALUES (1), (2)")
      return try connection.query("SELECT v FROM t") { outer in
        try connection.query("SELECT v FROM t") { _ in 0 }.count * 10 + (outer.int(0) ?? 0)
      }
    }
    #expect(pairs == [21, 22])
  }

  @Test func errorsCarryTheirCode() async throws {
    let database = try await Database.open(path)
    let error = await #expect(throws: SQLiteError.self) {
      try await database.perform { connection in
        try connection.execute("CREATE TABLE t (v PRIMARY KEY)")
        try connection.run("INSERT INTO t VALUES (1)")
        try connection.run("INSERT INTO t VALUES (1)")
      }
    }
    #expect(error?.code == 19)
    #expect(error?.extendedCode == 1555)
    #expect(error?.isRetriable == false)
    await #expect(throws: SQLiteError.self) { try await database.perform { try $0.run("SELECT ?", [1, 2]) } }
    await #expect(throws: SQLiteError.self) { try await database.perform { try $0.run("") } }
    await database.close()
    #expect(await #expect(throws: SQLiteError.self) { try await database.perform { try $0.run("SELECT 1") } } == .closedDatabase)
  }

  @Test func aLockThatIsNotReleasedIsARetriableError() async throws {
    let holder = try await Database.open(path)
    try await holder.perform { try $0.execute("CREATE TABLE t (v); BEGIN IMMEDIATE") }
    let other = try await Database.open(path, options: DatabaseOptions(busyTimeout: .milliseconds(50)))
    let error = await #expect(throws: SQLiteError.self) { try await other.transaction { try $0.run("INSERT INTO t VALUES (1)") } }
    #expect(error?.code == 5)
    #expect(error?.isRetriable == true)
    try await holder.perform { try $0.execute("COMMIT") }
    _ = try await other.transaction { try $0.run("INSERT INTO t VALUES (1)") }
  }

  @Test func whatStandsBehindACallThatDoesNotGetTheLockFailsWithIt() async throws {
    let holder = try await Database.open(path)
    try await holder.perform { try $0.execute("CREATE TABLE t (v); BEGIN IMMEDIATE") }
    let other = try await Database.open(path, options: DatabaseOptions(busyTimeout: .seconds(3)))
    let tries = EventLog<Int>()
    let failures = await withTaskGroup(of: Int32?.self) { group in
      for number in 0..<100 {
        group.addTask {
          do {
            try await other.perform { connection in
              tries.append(number)
              try connection.execute("BEGIN IMMEDIATE")
            }
          } catch { return (error as? SQLiteError)?.code }
          return nil
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(failures.allSatisfy { $0 == 5 })
    // Some calls may have come when the first had failed already. One after the other they would be over the suite's limit.
    #expect(tries.count < 20)
    try await holder.perform { try $0.execute("COMMIT") }
    _ = try await other.transaction { try $0.run("INSERT INTO t VALUES (1)") }
  }

  @Test func aReadOnlyDatabaseRefusesWrites() async throws {
    let writer = try await Database.open(path)
    try await writer.perform { try $0.execute("CREATE TABLE t (v); INSERT INTO t VALUES (1)") }
    let reader = try await Database.open(path, options: DatabaseOptions(isReadOnly: true))
    #expect(try await reader.perform { try $0.query("SELECT v FROM t") { $0.int(0) } } == [1])
    await #expect(throws: SQLiteError.self) { try await reader.perform { try $0.run("DELETE FROM t") } }
  }

  @Test func manyDatabasesOnOneNewFileOpenTogether() async throws {
    let path = path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask {
          let database = try await Database.open(path)
          try await database.transaction { connection in
            try connection.execute("CREATE TABLE IF NOT EXISTS t (v)")
            try connection.run("INSERT INTO t VALUES (1)")
          }
          await database.close()
        }
      }
      try await group.waitForAll()
    }
    let database = try await Database.open(path)
    #expect(try await database.perform { try $0.query("SELECT count(*) FROM t") { $0.int(0) } } == [16])
    #expect(try await database.perform { try $0.query("PRAGMA journal_mode") { $0.text(0) } } == ["wal"])
  }
}
