import Monitoring
import Synchronization

/// Something that happened once, asked about by the task that `signal` wakes.
final class Occurrence: Sendable {
  private let hasHappened = Mutex(false)
  private let signal: Signal

  init(signal: Signal) { self.signal = signal }

  var isTrue: Bool { hasHappened.withLock { $0 } }

  func happen() {
    hasHappened.withLock { $0 = true }
    signal.raise()
  }
}
