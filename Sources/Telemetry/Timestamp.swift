public import FoundationEssentials

/// RFC 3339 in UTC with `Z`, as every message and log line writes time.
public enum Timestamp {
  /// `2026-11-30T02:49:39.123Z`
  public static func rfc3339(_ date: Date) -> String {
    // To the nearest: a Date keeps seconds since 2001 in binary, and rounding down would lose a millisecond at each reading and writing.
    let exact = (date.timeIntervalSince1970 * 1000).rounded()
    let milliseconds = exact > earliest ? Int(min(exact, latest)) : Int(earliest)
    let (days, millisecondOfDay) = divided(milliseconds, by: 86_400_000)
    let (secondOfDay, fraction) = divided(millisecondOfDay, by: 1000)
    let (year, month, day) = civil(days)
    var text = [UInt8]()
    text.reserveCapacity(24)
    append(year, 4, to: &text)
    text.append(UInt8(ascii: "-"))
    append(month, 2, to: &text)
    text.append(UInt8(ascii: "-"))
    append(day, 2, to: &text)
    text.append(UInt8(ascii: "T"))
    append(secondOfDay / 3600, 2, to: &text)
    text.append(UInt8(ascii: ":"))
    append(secondOfDay / 60 % 60, 2, to: &text)
    text.append(UInt8(ascii: ":"))
    append(secondOfDay % 60, 2, to: &text)
    text.append(UInt8(ascii: "."))
    append(fraction, 3, to: &text)
    text.append(UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
  }

  // The years 0 to 9999, in milliseconds: RFC 3339 knows no others.
  private static let earliest = Double(days(0, 1, 1)) * 86_400_000
  private static let latest = Double(days(10_000, 1, 1)) * 86_400_000 - 1

  private static func divided(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// Reads RFC 3339 with `Z` or an offset, with or without a fraction; `nil` for anything else.
  public static func parse(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] | 0x20 == UInt8(ascii: "t"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
      let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60,
      civil(days(year, month, day)) == (year, month, day)
    else { return nil }
    guard let (fraction, offset) = fractionAndOffset(bytes[19...]) else { return nil }
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
    // An offset may lead out of the years that can be written in UTC.
    guard (earliest...latest).contains(Double(seconds) * 1000) else { return nil }
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  private static func fractionAndOffset(_ rest: ArraySlice<UInt8>) -> (Double, Int)? {
    var rest = rest
    var fraction = 0.0
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty, digits.count <= 18, let value = number(digits) else { return nil }
      fraction = Double(value) / (0..<digits.count).reduce(1.0) { scale, _ in scale * 10 }
      rest = rest.dropFirst(1 + digits.count)
    }
    if rest.count == 1, rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "z") { return (fraction, 0) }
    guard rest.count == 6, let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      rest[rest.startIndex + 3] == UInt8(ascii: ":"),
      let hours = number(rest[(rest.startIndex + 1)..<(rest.startIndex + 3)]), let minutes = number(rest[(rest.startIndex + 4)...]),
      hours < 24, minutes < 60
    else { return nil }
    return (fraction, (sign == UInt8(ascii: "+") ? 1 : -1) * (hours * 3600 + minutes * 60))
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var result = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      result = result * 10 + Int(digit) - 0x30
    }
    return result
  }

  private static func append(_ value: Int, _ width: Int, to text: inout [UInt8]) {
    var divisor = (1..<width).reduce(1) { product, _ in product * 10 }
    while divisor > 0 {
      text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
  }

  // Days since 1970-01-01 of the proleptic Gregorian calendar and back; eras of 400 years, years that begin in March.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
  }
}
