import Glibc
import Synchronization

/// The database's file itself, held by one process: links, mounts and a lock file that somebody removed lead round any other lock.
///
/// Closing a descriptor of a file drops all of SQLite's locks on it that the process has, so this one is closed after SQLite's are.
final class DatabaseLock: Sendable {
  private let descriptor = Mutex<Int32>(-1)

  // F_OFD_SETLK, a macro that Swift does not see: a lock that belongs to the descriptor, and that closing another one leaves alone.
  private static let setLock: Int32 = 37
  // Beside SQLite's lock bytes, in the page that it keeps free for them.
  private static let lockByte: off_t = 0x4000_0000 + 1024

  /// Takes the file at the path. When one is held already, the path must still lead to it.
  func hold(_ path: String) throws(CatalogStoreError) {
    let held = descriptor.withLock { $0 }
    guard held < 0 else { return try check(held, path) }
    var opened = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    // What cannot be written to may be another program's, which the caller finds out.
    if opened < 0 { opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard opened >= 0 else { throw .unusable(path, errno: errno) }
    guard !Self.isTaken(opened) else {
      Glibc.close(opened)
      throw .locked("another tubeline-catalog has the database \(path) open, be it by another name")
    }
    descriptor.withLock { $0 = opened }
  }

  /// The file's first bytes.
  func header(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = descriptor.withLock { pread($0, &bytes, count, 0) }
    return Array(bytes.prefix(max(0, read)))
  }

  func release() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  deinit { release() }

  // Where a file system knows no such locks, and where the file cannot be written to, the lock file is all there is.
  private static func isTaken(_ descriptor: Int32) -> Bool {
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = lockByte
    range.l_len = 1
    return fcntl(descriptor, setLock, &range) != 0 && (errno == EAGAIN || errno == EACCES)
  }

  private func check(_ held: Int32, _ path: String) throws(CatalogStoreError) {
    var own = stat()
    var present = stat()
    guard fstat(held, &own) == 0, stat(path, &present) == 0, own.st_ino == present.st_ino, own.st_dev == present.st_dev else {
      throw .locked("the database \(path) was removed or replaced while it was open; start tubeline-catalog again")
    }
  }
}
