import Dispatch
import Foundation
import Glibc
import Telemetry

/// SIGTERM, SIGINT and SIGHUP (the terminal is closed) as an event. The first asks for a clean end; the second ends the process at once.
public final class ShutdownSignals: @unchecked Sendable {
  // because the sources are made in init, never changed, and cancelled in deinit
  private let sources: [any DispatchSourceSignal]

  /// - Parameter onFirst: called once, from a library thread.
  public init(onFirst: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "tubeline.signals")
    let count = SignalCount()
    // nohup(1) has it ignored, which is its user's wish.
    let numbers = [SIGTERM, SIGINT] + (Self.isIgnored(SIGHUP) ? [] : [SIGHUP])
    sources = numbers.map { number in
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

  /// Ends the process then, if it is still there: a log that nobody reads, for one, holds every thread that writes to it.
  /// - Parameter code: the exit code, asked for at the end.
  static func endProcess(after delay: Duration, code: @escaping @Sendable () -> Int32) {
    let thread = Thread {
      Thread.sleep(forTimeInterval: delay.seconds)
      _exit(code())
    }
    thread.start()
  }

  private static func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
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
