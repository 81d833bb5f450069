import Glibc
import SQLite
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct CatalogMainTests {
  @Test(arguments: [
    CatalogStoreError.locked("held"), .unusable("a", errno: ENOSPC), .unusable("a", errno: EIO), .unusable("a", errno: EMFILE),
  ])
  func whatMayWorkLaterIsNoWrongSetting(_ error: CatalogStoreError) { #expect(CatalogMain.mayWorkLater(error)) }

  @Test(arguments: [
    CatalogStoreError.foreign, .newer(found: 9, known: 3), .linked("a", names: 2), .unusable("a", errno: ENOENT),
    .unusable("a", errno: EACCES),
  ])
  func whatStaysAsItIsIsAWrongSetting(_ error: CatalogStoreError) { #expect(!CatalogMain.mayWorkLater(error)) }

  // 5 BUSY, 13 FULL, 522 IOERR_SHORT_READ, 26 NOTADB.
  @Test(arguments: [(5, true), (13, true), (522, true), (26, false)] as [(Int32, Bool)])
  func aFullDiskIsNoWrongSetting(_ code: Int32, _ mayWorkLater: Bool) {
    #expect(CatalogMain.mayWorkLater(SQLiteError(extendedCode: code, message: "")) == mayWorkLater)
  }

  @Test func aDatabaseThatIsHeldMayBeHadLater() async throws {
    try await StoreScene.with { _, scene in
      let error = await #expect(throws: CatalogStoreError.self) { try await scene.open() }
      #expect(error?.isRetriable == true)
    }
  }

  @Test func aPathThatLeadsNowhereIsAWrongSetting() async throws {
    let scene = try StoreScene()
    let error = await #expect(throws: CatalogStoreError.self) { try await CatalogStore.open(scene.path + "/no/folder.db") }
    #expect(error?.isRetriable == false)
  }
}
