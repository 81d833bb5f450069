/// Readings of values: durations, numbers and words, as every setting and flag writes them.
public enum SettingValue {
  /// `250ms`, `20s`, `5m`, `1h`, `2d`; a bare number is seconds.
  public static func duration(_ text: String) -> Duration? {
    let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]
    let unit = units.first { text.hasSuffix($0.suffix) }
    let digits = text.dropLast(unit?.suffix.count ?? 0)
    guard let number = decimal(digits) else { return nil }
    let seconds = number * (unit?.seconds ?? 1)
    guard seconds <= 400 * 86_400 else { return nil }
    return .milliseconds(Int64((seconds * 1000).rounded()))
  }

  /// A duration as it is written: `250ms`, `90s`, `1h`, `30d`; the largest unit of which it is a whole number.
  static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    if milliseconds == 0 { return "0" }
    let units: [(suffix: String, milliseconds: Int64)] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)]
    let unit = units.first { milliseconds % $0.milliseconds == 0 } ?? ("ms", 1)
    return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
  }

  /// `512kB`, `16MB`, `1GB` in powers of ten; a bare number is bytes.
  public static func size(_ text: String) -> Int? {
    let units: [(suffix: String, factor: Double)] = [("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("B", 1)]
    let unit = units.first { text.hasSuffix($0.suffix) }
    guard let number = decimal(text.dropLast(unit?.suffix.count ?? 0)) else { return nil }
    return Int(exactly: (number * (unit?.factor ?? 1)).rounded())
  }

  public static func boolean(_ text: String) -> Bool? {
    switch text {
    case "true": true
    case "false": false
    default: nil
    }
  }

  private static func decimal(_ digits: Substring) -> Double? {
    guard !digits.isEmpty, digits.utf8.count <= 15, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      digits.first != ".", digits.last != "."
    else { return nil }
    return Double(String(digits))
  }
}
