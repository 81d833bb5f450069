import Glibc
import SQLite

/// The database's file as it lies there, before anything is written beside it.
enum DatabaseFile {
  private static let mostLinks = 40

  /// The path without links, whether or not the file exists: whoever comes by another name must meet the same lock.
  static func resolved(_ path: String) throws(CatalogStoreError) -> String {
    var path = path
    for _ in 0..<mostLinks {
      if let real = real(path) { return real }
      guard errno == ENOENT else { break }
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
      let folder = slash.map { String(path[...$0]) } ?? "./"
      guard let target = target(path) else {
        guard let real = real(folder) else { break }
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        return (real == "/" ? "" : real) + "/" + name
      }
      path = target.hasPrefix("/") ? target : folder + target
    }
    throw .unusable(path, errno: errno)
  }

  /// Takes the file if there is one. Refuses what is no catalogue's, and leaves it and its folder as they are.
  static func check(_ path: String, _ lock: DatabaseLock) throws {
    var state = stat()
    guard stat(path, &state) == 0 else { return }
    guard state.st_mode & S_IFMT == S_IFREG else { throw CatalogStoreError.foreign }
    try lock.hold(path)
    let header = state.st_size > 0 ? lock.header(headerBytes) : []
    let owner = header.count == headerBytes ? header[68..<72].reduce(0) { $0 << 8 | Int($1) } : 0
    let isDatabase = header.count == headerBytes && header.starts(with: Array("SQLite format 3\0".utf8))
    guard header.isEmpty || isDatabase && (owner == 0 || owner == CatalogSchema.applicationID) else { throw CatalogStoreError.foreign }
    // A database without a second name has one log.
    guard state.st_nlink < 2 else { throw CatalogStoreError.linked(path, names: Int(state.st_nlink)) }
    // Either nobody's, or what says whose it is still lies in the log.
    if isDatabase && owner == 0 {
      try CatalogSchema.checkOwner(try Connection(path: path, options: DatabaseOptions(isReadOnly: true)))
    }
  }

  private static let headerBytes = 100

  private static func real(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  // nil when it is no link.
  private static func target(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }
}
