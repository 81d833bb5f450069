import Quota
import QuotaStores
import Testing

@Suite(.timeLimit(.minutes(1)))
struct QuotaStoreURLTests {
  @Test func aPathNamesAnSQLiteFile() async throws {
    let directory = try ScratchDirectory()
    let path = directory.url.appending(path: "ledger.sqlite").path
    for url in ["sqlite://\(path)", "sqlite:\(path)"] {
      let store = try await QuotaStoreURL.open(url, calendar: .pacific())
      _ = try await store.reserve(.default, cost: 1, policy: QuotaPolicy())
      await store.close()
    }
    let store = try await QuotaStoreURL.open("sqlite:\(path)", calendar: .pacific())
    #expect(try await store.status(QuotaPolicy()).first?.spent == 2)
  }

  @Test func memoryIsAStoreOfItsOwn() async throws {
    let store = try await QuotaStoreURL.open("memory:", calendar: .pacific())
    #expect(try await store.status(QuotaPolicy()).first?.spent == 0)
  }

  @Test(arguments: [
    "", "sqlite:", "sqlite://", "sqlite://name", "sqlite::memory:", "postgres://x", "redis://h:x", "rediss://h", "ledger.sqlite",
    "redis://u:%+f@h", "redis://[a\u{1B}]", "redis://a\u{0}b", "redis://P\u{70F}",
  ])
  func otherAddressesAreInvalid(url: String) async throws {
    let error = await #expect(throws: QuotaStoreError.self) { try await QuotaStoreURL.open(url, calendar: .pacific()) }
    #expect(error?.code == .invalid)
  }

  @Test func aMissingDirectoryIsRefusedWithThePath() async throws {
    let error = await #expect(throws: QuotaStoreError.self) {
      try await QuotaStoreURL.open("sqlite:///nonexistent/l", calendar: .pacific())
    }
    #expect(error?.code == .refused)
    #expect(error?.message.contains("/nonexistent/l") == true)
  }
}
