import Glibc
import Synchronization

/// A file that one process holds at a time; the system takes the lock back when the process ends, however it ends.
final class FileLock: Sendable {
  private let descriptor: Mutex<Int32>

  init(_ path: String) throws(CatalogStoreError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .unusable(path, errno: errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      Glibc.close(descriptor)
      throw .locked("another tubeline-catalog has the database open (\(path) is locked)")
    }
    self.descriptor = Mutex(descriptor)
  }

  func release() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  deinit { release() }
}
