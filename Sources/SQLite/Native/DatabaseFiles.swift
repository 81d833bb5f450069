import Glibc
import Synchronization

/// The files of a database beside what SQLite itself looks at: its write-ahead log may be removed, and left behind, too.
final class DatabaseFiles: Sendable {
  let path: String
  private let isOnDisk: Bool
  private let log = Mutex<ino_t?>(nil)

  init(path: String) {
    self.path = path
    isOnDisk = !path.isEmpty && !path.hasPrefix(":") && !path.hasPrefix("file:")
  }

  /// Removes the log of a file that is gone: SQLite would read it into the next one. Returns whether there was one.
  func clearRemnants() -> Bool {
    guard isOnDisk else { return false }
    // Only one process makes the file, and so only one removes what may be another's a moment later.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    let isLogThere = status(of: "-wal").map { $0.st_size > 0 } ?? false
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    return isLogThere
  }

  /// Whether the log is another one than at the first call. While a connection is open, SQLite keeps it.
  func hasLogMoved() -> Bool {
    guard isOnDisk else { return false }
    let current = status(of: "-wal")?.st_ino
    return log.withLock { log in
      if log == nil { log = current }
      return log != current
    }
  }

  private func status(of suffix: String) -> stat? {
    var status = stat()
    return stat(path + suffix, &status) == 0 ? status : nil
  }
}
