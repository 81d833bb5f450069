import Foundation
import Quota
import Redis
import TestSupport
import Testing

@testable import QuotaStores

/// Users and passwords of a real redis-server.
@Suite(.timeLimit(.minutes(1)), .enabled(if: RedisServerProcess.isUsable, "redis-server is not installed"))
struct RedisAccessTests {
  private let server: RedisServerProcess
  private static let password = "p@ss:w/rd %41"
  private static let wrong = "hunter2"

  init() async throws { server = try await RedisServerProcess.start() }

  /// Makes the user `worker` with these rules.
  private func allow(_ rules: [String]) async throws {
    let connection = RedisConnection(try RedisURL(server.url))
    _ = try await connection.command(["ACL", "SETUSER", "worker", "reset", "on", ">\(Self.password)"] + rules)
    await connection.close()
  }

  private func store(_ user: String, _ password: String, database: Int = 0) async throws -> any QuotaStore {
    let url = server.url.replacing("unix://", with: "unix://\(user)@") + "?db=\(database)"
    guard case .added(let address) = QuotaStoreURL.adding(password: password, to: url) else { throw LaunchFailure() }
    return try await QuotaStoreURL.open(address, calendar: .pacific())
  }

  private struct LaunchFailure: Error {}

  /// Every operation of the ledger, one after the other.
  private func useAll(_ store: any QuotaStore) async throws(QuotaStoreError) {
    let policy = QuotaPolicy()
    guard case .granted(let grant) = try await store.reserve(.default, cost: 1, policy: policy) else { return }
    try await store.refund(grant)
    try await store.remember()
    _ = try await store.status(policy)
    try await store.probe()
    try await store.exhaust(.default, day: grant.day, policy: policy)
    try await store.clearExhaustion(.default)
    _ = try await store.set(.default, spent: 3)
  }

  private static var rules: [String] { RedisPermissions.rules().split(separator: " ").map(String.init) }

  @Test func theDocumentedPermissionsSuffice() async throws {
    defer { server.remove() }
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let document = try String(contentsOf: root.appending(path: "docs/security.md"), encoding: .utf8)
    #expect(document.contains(" >PASSWORD \(RedisPermissions.rules())\n"))
    try await allow(Self.rules)
    let store = try await store("worker", Self.password)
    try await useAll(store)
    // A server that has forgotten its scripts is given them anew.
    _ = try await RedisConnection(RedisURL(server.url)).command(["SCRIPT", "FLUSH"])
    try await useAll(store)
    await store.close()
  }

  // Watermarks need two of the others, the first grant of a day the third.
  @Test(arguments: RedisPermissions.commands.filter { !["pexpire", "pttl", "eval"].contains($0) })
  func aPermissionThatIsMissingIsNamed(command: String) async throws {
    defer { server.remove() }
    try await allow(Self.rules.filter { $0 != "+\(command)" })
    try await expectRefusal(try await store("worker", Self.password), contains: ["\"worker\"", "+\(command)", "~tubeline:quota:*"])
  }

  @Test func keysThatTheUserMayNotTouchAreNamed() async throws {
    defer { server.remove() }
    try await allow(["~other:*"] + Self.rules.dropFirst())
    try await expectRefusal(try await store("worker", Self.password), contains: ["\"worker\"", "~tubeline:quota:*"])
  }

  @Test(arguments: ["pexpire", "pttl"]) func aPermissionThatOnlyWatermarksNeedIsNamed(command: String) async throws {
    defer { server.remove() }
    try await allow(Self.rules.filter { $0 != "+\(command)" })
    let error = await #expect(throws: QuotaStoreError.self) { try await watermarks().probe() }
    #expect(error?.code == .refused && error?.message.contains("+\(command)") == true, "\(error?.message ?? "")")
  }

  @Test func aUserOfTheLedgerAloneIsRefusedTheWatermarks() async throws {
    defer { server.remove() }
    try await allow(["~tubeline:quota:ledger", "~tubeline:quota:probe"] + Self.rules.dropFirst())
    try await useAll(try await store("worker", Self.password))
    let error = await #expect(throws: QuotaStoreError.self) { try await watermarks().probe() }
    #expect(error?.code == .refused && error?.message.contains("~tubeline:quota:*") == true, "\(error?.message ?? "")")
  }

  private func watermarks() async throws -> any WatermarkStore {
    let url = server.url.replacing("unix://", with: "unix://worker@")
    guard case .added(let address) = QuotaStoreURL.adding(password: Self.password, to: url) else { throw LaunchFailure() }
    return try await QuotaStoreURL.openWatermarks(address, scope: "s")
  }

  @Test func anotherDatabaseNeedsItsOwnPermission() async throws {
    defer { server.remove() }
    try await allow(Self.rules)
    try await expectRefusal(try await store("worker", Self.password, database: 2), contains: ["\"worker\"", "+select"])
    try await allow(Self.rules + ["+select"])
    try await useAll(try await store("worker", Self.password, database: 2))
  }

  @Test(arguments: ["worker", "nobody", ""])
  func aWrongPasswordNamesStoreAndUserWithoutIt(user: String) async throws {
    defer { server.remove() }
    try await allow(Self.rules)
    _ = try await RedisConnection(RedisURL(server.url)).command(["CONFIG", "SET", "requirepass", Self.password])
    let name = user.isEmpty ? "default user" : "\"\(user)\""
    try await expectRefusal(try await store(user, Self.wrong), contains: [name, "WRONGPASS", server.socket])
  }

  @Test func aMissingPasswordIsARefusalThatNamesTheStore() async throws {
    defer { server.remove() }
    _ = try await RedisConnection(RedisURL(server.url)).command(["CONFIG", "SET", "requirepass", Self.password])
    try await expectRefusal(
      try await QuotaStoreURL.open(server.url, calendar: .pacific()), contains: ["without password", "NOAUTH", server.socket])
  }

  @Test func aPasswordThatNobodyAsksForIsARefusalThatNamesTheStore() async throws {
    defer { server.remove() }
    try await expectRefusal(try await store("", Self.wrong), contains: ["default user", server.socket])
  }

  private func expectRefusal(_ store: any QuotaStore, contains parts: [String]) async throws {
    let error = await #expect(throws: QuotaStoreError.self) { try await useAll(store) }
    #expect(error?.code == .refused)
    for part in parts { #expect(error?.message.contains(part) == true, "\(part): \(error?.message ?? "")") }
    #expect(error.map { !"\($0)".contains(Self.password) && !"\($0)".contains(Self.wrong) && !"\($0)".contains("%40") } == true)
    await store.close()
  }
}
