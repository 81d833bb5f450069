import Dispatch
import Glibc

/// SIGTERM and SIGINT as an event. The first asks for a clean end; the second ends the process at once.
public final class ShutdownSignals: @unchecked Sendable {
  // because the sources are made in init, never changed, and cancelled in deinit
  private let sources: [any DispatchSourceSignal]

  /// - Parameter onFirst: called once, from a library thread.
  public init(onFirst: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "tubeline.signals")
    let count = SignalCount()
    sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if count.next() == 1 { onFirst() } else { _exit(128 + number) }
      }
      source.activate()
      return source
    }
  }

  deinit { for source in sources { source.cancel() } }
}

private final class SignalCount: @unchecked Sendable {
  // because it is used on the signal queue only
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}
