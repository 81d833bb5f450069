import FoundationEssentials
import Telemetry

/// Times are passed on as text, if they are RFC 3339.
enum APITime {
  /// The same time in UTC with `Z`, unchanged if it is written so; `nil` for anything else.
  static func normalised(_ text: String) -> String? {
    guard let date = Timestamp.parse(text) else { return nil }
    let bytes = text.utf8
    if bytes.last == UInt8(ascii: "Z"), bytes.dropFirst(10).first == UInt8(ascii: "T") { return text }
    let utc = Timestamp.rfc3339(date)
    return utc.hasSuffix(".000Z") ? utc.dropLast(5) + "Z" : utc
  }
}
