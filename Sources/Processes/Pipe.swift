import Glibc

/// A pipe that no child inherits; the reading end is closed with the last reference.
final class Pipe: Sendable {
  let reading: Int32
  let writing: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw ProcessError("no pipe can be made: \(String(cString: strerror(errno)))") }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit { close(reading) }

  func closeWriting() { close(writing) }

  /// Calls back for each line until the other end is closed; what is longer than 64 kB is cut.
  func readLines(_ body: (String) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    var line: [UInt8] = []
    while true {
      let count = read(reading, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      for byte in buffer.prefix(count) {
        if byte == 0x0A {
          body(String(decoding: line, as: UTF8.self))
          line.removeAll(keepingCapacity: true)
        } else if line.count < 64 << 10 {
          line.append(byte)
        }
      }
    }
    if !line.isEmpty { body(String(decoding: line, as: UTF8.self)) }
  }
}
