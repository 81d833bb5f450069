import FoundationEssentials
import Messages
import Telemetry

/// Reads the retry headers of a message; malformed ones count as absent.
enum RetryHeaders {
  static func failures(_ message: ReceivedMessage) -> Int {
    guard message.isRetry, let attempt = message.headers[HeaderName.attempt].flatMap({ Int($0) }) else { return 0 }
    return min(max(attempt, 0), 1000)
  }

  static func notBefore(_ message: ReceivedMessage) -> Date? {
    message.isRetry ? message.headers[HeaderName.notBefore].flatMap(Timestamp.parse) : nil
  }
}
