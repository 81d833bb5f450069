import Foundation

/// The recorded answers in `shared/fixtures` beside the repository (or a level further out, for work trees), if they are there.
enum Fixtures {
  static let directory: URL? = {
    var ancestor = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    for _ in 0..<3 {
      ancestor = ancestor.deletingLastPathComponent()
      let candidate = ancestor.appending(path: "shared/fixtures")
      if FileManager.default.fileExists(atPath: candidate.path()) { return candidate }
    }
    print("SKIPPED: there is no ../shared/fixtures; the tests that read recorded answers do nothing")
    return nil
  }()

  static let names: [String] = {
    let names = directory.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path()) } ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted()
  }()

  static var areThere: Bool { directory != nil }

  static func bytes(_ name: String) throws -> [UInt8] {
    guard let directory else { return [] }
    return Array(try Data(contentsOf: directory.appending(path: name)))
  }
}
