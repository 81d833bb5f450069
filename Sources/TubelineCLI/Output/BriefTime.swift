import FoundationEssentials
import Telemetry

/// Times as narrow terminals show them. All are in UTC, and so is today.
enum BriefTime {
  /// `2026-01-31T12:05Z` or `2026-01-31 12:05:09` → `12:05Z` or `12:05:09` when that is today, else `2026-01-31`.
  static func day(today: Date) -> @Sendable (String) -> String {
    let date = date(today)
    return { time in isTime(time) ? String(time.hasPrefix(date) ? time.dropFirst(11) : time.prefix(10)) : time }
  }

  /// `2026-01-31 12:05:09` → `12:05:09` when that is today, else `2026-01-31 12:05`.
  static func minute(today: Date) -> @Sendable (String) -> String {
    let date = date(today)
    return { time in isTime(time) ? String(time.hasPrefix(date) ? time.dropFirst(11) : time.prefix(16)) : time }
  }

  private static func date(_ today: Date) -> String { String(Timestamp.rfc3339(today).prefix(10)) }

  private static func isTime(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 16, bytes.allSatisfy({ $0 < 0x80 }) else { return false }
    return bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-") && bytes[13] == UInt8(ascii: ":")
  }
}
