/// Seconds since 1970 as RFC 3339 text and back, and the Pacific date, without Foundation.
enum CivilTime {
  static func text(_ seconds: Int, milliseconds: Int? = nil) -> String {
    let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let (year, month, day) = date(days)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    digits(year, 4, into: &bytes)
    for (separator, value) in [("-", month), ("-", day), ("T", second / 3600), (":", second / 60 % 60), (":", second % 60)] {
      bytes.append(contentsOf: separator.utf8)
      digits(value, 2, into: &bytes)
    }
    if let milliseconds {
      bytes.append(UInt8(ascii: "."))
      digits(milliseconds, 3, into: &bytes)
    }
    bytes.append(UInt8(ascii: "Z"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads `2026-01-01T00:00:00Z`, with fractions and numeric offsets too; `nil` for anything else.
  static func seconds(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count else { return nil }
      return bytes[range].reduce(0 as Int?) { sum, byte in
        guard let sum, byte >= 0x30, byte <= 0x39 else { return nil }
        return sum * 10 + Int(byte - 0x30)
      }
    }
    guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] | 32 == UInt8(ascii: "t"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
    else { return nil }
    var rest = bytes[19...]
    if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop { $0 >= 0x30 && $0 <= 0x39 } }
    let moment = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
    if rest.elementsEqual("Z".utf8) || rest.elementsEqual("z".utf8) { return moment }
    guard rest.count == 6, let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let hours = number(rest.startIndex + 1..<rest.startIndex + 3), let minutes = number(rest.startIndex + 4..<rest.startIndex + 6)
    else { return nil }
    let offset = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "+") ? moment - offset : moment + offset
  }

  /// The number of the day in Los Angeles. United States rule since 2007: second Sunday of March to first Sunday of November, 2:00.
  static func pacificDay(_ seconds: Int) -> Int {
    let (year, _, _) = date((seconds - 8 * 3600) / 86_400)
    let start = sunday(2, of: days(year, 3, 1)) * 86_400 + 10 * 3600
    let end = sunday(1, of: days(year, 11, 1)) * 86_400 + 9 * 3600
    return (seconds - (seconds >= start && seconds < end ? 7 : 8) * 3600) / 86_400
  }

  private static func sunday(_ number: Int, of firstDay: Int) -> Int {
    // Day 0 was a Thursday, day 3 the first Sunday.
    firstDay + (3 - firstDay % 7 + 7) % 7 + (number - 1) * 7
  }

  private static func digits(_ value: Int, _ count: Int, into bytes: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<count { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(truncatingIfNeeded: 0x30 + value / divisor % 10))
      divisor /= 10
    }
  }

  // Both by Howard Hinnant's algorithms for the proleptic Gregorian calendar, for years after 0.
  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
