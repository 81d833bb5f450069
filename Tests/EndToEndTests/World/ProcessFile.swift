import Glibc

/// Files below /proc, which tell no size: read to their end.
enum ProcessFile {
  static func text(_ path: String) throws -> String {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw Unmet("\(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    guard !bytes.isEmpty else { throw Unmet("\(path) is empty") }
    return String(decoding: bytes, as: UTF8.self)
  }
}
