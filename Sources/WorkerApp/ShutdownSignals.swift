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
        switch count.next() {
        case .first: onFirst()
        case .sameAgain: break
        case .second: _exit(128 + number)
        }
      }
      source.activate()
      return source
    }
  }

  deinit { for source in sources { source.cancel() } }
}

private final class SignalCount: @unchecked Sendable {
  // because it is used on the signal queue only
  private var first: DispatchTime?

  enum Meaning { case first, sameAgain, second }

  // timeout(1) signals its child and then the child's whole group: that is one wish, not two.
  func next() -> Meaning {
    guard let first else {
      self.first = .now()
      return .first
    }
    return DispatchTime.now() < first + .milliseconds(300) ? .sameAgain : .second
  }
}
