import CSQLite
import Glibc

/// Waits for other processes' locks in short random steps.
///
/// SQLite's own handler sleeps up to 100 ms between looks, so with many processes some starve while the lock is free.
final class BusyWait {
  private let limit: Duration
  private var deadline = ContinuousClock.now
  private var attempts = 0

  init(limit: Duration) { self.limit = limit }

  func install(on handle: OpaquePointer) {
    // The connection owns this object and outlives the handle's use of it.
    sqlite3_busy_handler(handle, busyHandler, Unmanaged.passUnretained(self).toOpaque())
  }

  func begin() {
    deadline = .now + limit
    attempts = 0
  }

  /// False when the time is over.
  func sleep() -> Bool {
    guard ContinuousClock.now < deadline else { return false }
    attempts += 1
    let longest = min(5_000, 200 << min(attempts, 5))
    usleep(UInt32.random(in: 100...UInt32(longest)))
    return true
  }
}

// `count` is how often this lock has been waited for.
private func busyHandler(_ context: UnsafeMutableRawPointer?, _ count: Int32) -> Int32 {
  guard let context else { return 0 }
  let wait = Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue()
  if count == 0 { wait.begin() }
  return wait.sleep() ? 1 : 0
}
