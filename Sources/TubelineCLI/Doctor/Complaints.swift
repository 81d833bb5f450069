import Synchronization
import Telemetry

/// Why the client library has no connection: a refused password or certificate is in its log only, not in the error of a call.
final class Complaints: Sendable {
  private let text = Mutex<String?>(nil)

  var last: String? { text.withLock { $0 } }

  var logger: Logger {
    Logger(label: "doctor", level: .warning) { [self] entry in
      let fields = Dictionary(entry.metadata.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
      guard fields["kafka.facility"] == "FAIL", case .string(let line)? = fields["kafka.message"] else { return }
      // Behind the thread's name.
      let start = line.firstRange(of: "]: ")?.upperBound ?? line.startIndex
      text.withLock { $0 = Self.withoutState(line[start...]) }
    }
  }

  // `(after 0ms in state CONNECT, 1 identical error(s) suppressed)` is the library's own affair.
  static func withoutState(_ line: Substring) -> String {
    guard line.hasSuffix(")"), let tail = line.ranges(of: " (after ").last, line[tail.upperBound...].contains(" in state ") else {
      return String(line)
    }
    return String(line[..<tail.lowerBound])
  }
}
