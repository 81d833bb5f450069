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
    throw .locked("\(path) cannot be made: \(String(cString: strerror(errno)))")
  }

  /// Refuses what is no catalogue's, and leaves it and its folder as they are.
  static func check(_ path: String) throws {
    var state = stat()
    guard stat(path, &state) == 0, state.st_size > 0 || state.st_mode & S_IFMT != S_IFREG else { return }
    guard state.st_mode & S_IFMT == S_IFREG else { throw CatalogStoreError.foreign }
    let header = try header(path)
    guard header.count == headerBytes, header.starts(with: Array("SQLite format 3\0".utf8)) else { throw CatalogStoreError.foreign }
    let owner = header[68..<72].reduce(0) { $0 << 8 | Int($1) }
    if owner == CatalogSchema.applicationID { return }
    guard owner == 0 else { throw CatalogStoreError.foreign }
    // Either nobody's, or what says whose it is still lies in the log.
    try CatalogSchema.checkOwner(try Connection(path: path, options: DatabaseOptions(isReadOnly: true)))
  }

  private static let headerBytes = 100

  private static func header(_ path: String) throws(CatalogStoreError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .locked("\(path) cannot be read: \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: headerBytes)
    let count = Glibc.read(descriptor, &bytes, headerBytes)
    return Array(bytes.prefix(max(0, count)))
  }

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
