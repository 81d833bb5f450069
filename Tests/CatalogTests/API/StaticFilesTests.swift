import Foundation
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct StaticFilesTests {
  @Test func everyFileOfTheFolderIsInTheExecutable() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../../Sources/CCatalogFiles/files").standardized
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { !$0.hasPrefix(".") }
    #expect(Set(names) == Set(StaticFiles.names))
    for name in names { #expect(try Data(contentsOf: folder.appending(path: name)) == Data(StaticFiles.bytes(name) ?? [])) }
  }
}
