import Foundation
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct StaticFilesTests {
  @Test func everyFileOfTheFoldersIsInTheExecutable() throws {
    var all: Set<String> = []
    for folder in ["Catalog/Web", "CCatalogFiles/files"] {
      let folder = URL(filePath: #filePath).appending(path: "../../../../Sources/\(folder)").standardized
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { !$0.hasPrefix(".") }
      for name in names { #expect(try Data(contentsOf: folder.appending(path: name)) == Data(StaticFiles.bytes(name) ?? [])) }
      all.formUnion(names)
    }
    #expect(all == Set(StaticFiles.names))
  }

  @Test func theStartPageAsksForEveryModuleAtOnce() throws {
    let page = String(decoding: try #require(StaticFiles.bytes("index.html")), as: UTF8.self)
    for name in StaticFiles.names where name.hasSuffix(".js") { #expect(page.contains("=\"/\(name)\""), "\(name) is not in index.html") }
  }
}
