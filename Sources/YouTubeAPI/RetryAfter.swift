import FoundationEssentials
import Telemetry

/// The header `Retry-After` (https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3).
enum RetryAfter {
  /// Seconds, or a date of the form `Sun, 06 Nov 1994 08:49:37 GMT`; a date that is over is zero. `nil` for anything else.
  static func duration(_ text: String, now: Date) -> Duration? {
    let text = text.trimming { $0 == " " || $0 == "\t" }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !text.isEmpty {
      // More digits than fit are still a long time.
      return .seconds(Int(text).map { min($0, 1 << 32) } ?? 1 << 32)
    }
    guard let date = date(text) else { return nil }
    let seconds = date.timeIntervalSince(now)
    return seconds > 0 ? .milliseconds(Int(min(seconds, 1e9) * 1000)) : .zero
  }

  private static func date(_ text: String) -> Date? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", parts[1].utf8.count == 2, parts[3].utf8.count == 4, parts[4].utf8.count == 8,
      let month = months.firstIndex(of: String(parts[2]))
    else { return nil }
    let number = month + 1
    return Timestamp.parse("\(parts[3])-\(number < 10 ? "0" : "")\(number)-\(parts[1])T\(parts[4])Z")
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

extension String {
  /// Without the characters at both ends that match.
  func trimming(_ matches: (Unicode.Scalar) -> Bool) -> String {
    let scalars = unicodeScalars
    guard let start = scalars.firstIndex(where: { !matches($0) }), let last = scalars.lastIndex(where: { !matches($0) }) else { return "" }
    return String(scalars[start...last])
  }
}
