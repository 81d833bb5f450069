import Foundation
import SQLite
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct DatabaseFileTests {
  @Test func aDatabaseOfAnotherProgramIsNotTouched() async throws {
    let scene = try StoreScene()
    do {
      let connection = try Connection(path: scene.path)
      try connection.execute("CREATE TABLE ledger (units INTEGER)")
    }
    await #expect(throws: CatalogStoreError.foreign) { try await scene.open() }
    #expect(!FileManager.default.fileExists(atPath: scene.path + ".lock"))
  }

  @Test(arguments: ["root:x:0:0:root:/root:/bin/bash\n", String(repeating: "no database ", count: 100)])
  func besideAFileOfAnotherProgramNothingIsMade(_ content: String) async throws {
    let scene = try StoreScene()
    try Data(content.utf8).write(to: URL(filePath: scene.path))
    await #expect(throws: CatalogStoreError.foreign) { try await scene.open() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder.path()) == ["catalog.db"])
    #expect(try Data(contentsOf: URL(filePath: scene.path)) == Data(content.utf8))
  }

  @Test func twoProcessesCannotHaveOneDatabase() async throws {
    try await StoreScene.with { _, scene in
      await #expect(throws: CatalogStoreError.self) { try await scene.open() }
    }
  }

  @Test func aLinkIsNoSecondDatabase() async throws {
    let scene = try StoreScene()
    let link = scene.folder.appending(path: "link.db").path()
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "catalog.db")
    // It leads nowhere yet: the file is made where it points to.
    let store = try await CatalogStore.open(link)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder.path()).contains("catalog.db.lock"))
    await #expect(throws: CatalogStoreError.self) { try await scene.open() }
    await #expect(throws: CatalogStoreError.self) { try await CatalogStore.open(link) }
    await store.close()
  }

  @Test func withoutItsLockFileItIsHeldAllTheSame() async throws {
    try await StoreScene.with { _, scene in
      try FileManager.default.removeItem(atPath: scene.path + ".lock")
      await #expect(throws: CatalogStoreError.self) { try await scene.open() }
    }
  }

  @Test func theFileIsHeldByWhateverName() async throws {
    try await StoreScene.with { store, scene in
      let other = scene.folder.appending(path: "other.db").path()
      try FileManager.default.moveItem(atPath: scene.path, toPath: other)
      await #expect(throws: CatalogStoreError.self) { try await CatalogStore.open(other) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder.path()).contains("other.db.lock") == false)
    }
  }

  @Test func aFileWithTwoNamesIsNotOpened() async throws {
    let scene = try StoreScene()
    let other = scene.folder.appending(path: "other.db").path()
    let first = try await scene.open()
    try await first.put(try Sample.video("a"))
    try FileManager.default.linkItem(atPath: scene.path, toPath: other)
    await #expect(throws: CatalogStoreError.self) { try await CatalogStore.open(other) }
    try await first.put(try Sample.video("b"))
    await first.close()
    for path in [scene.path, other] {
      await #expect(throws: CatalogStoreError.linked(path, names: 2)) { try await CatalogStore.open(path) }
    }
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: scene.folder.path())) == ["catalog.db", "catalog.db.lock", "other.db"])
    try FileManager.default.removeItem(atPath: other)
    let again = try await scene.open()
    #expect(try await again.list(VideoSelection()).sorted() == ["a", "b"])
    await again.close()
  }

  @Test func oneThatTakesThePlaceIsNotWrittenTo() async throws {
    let scene = try StoreScene()
    let spare = try StoreScene()
    await (try spare.open()).close()
    let store = try await scene.open()
    try FileManager.default.removeItem(atPath: scene.path)
    try FileManager.default.copyItem(atPath: spare.path, toPath: scene.path)
    await #expect(throws: CatalogStoreError.self) { try await store.put(try Sample.video("a")) }
    await store.close()
    let again = try await scene.open()
    #expect(try await again.list(VideoSelection()) == [])
    await again.close()
  }

  @Test func theLocksOfSQLiteStayInPlace() async throws {
    try await StoreScene.with { store, scene in
      try await store.put(try Sample.video("a"))
      let number = try #require(try FileManager.default.attributesOfItem(atPath: scene.path)[.systemFileNumber] as? Int)
      // The table of all locks changes while it is read.
      let locks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").flatMap { descriptor in
        let text = (try? String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("lock:") && $0.contains(":\(number) ") }
      }
      #expect(locks.contains { $0.contains("OFDLCK") } && locks.contains { $0.contains("POSIX") }, "\(locks)")
    }
  }
}
