/// A rule such as `PST8PDT,M3.2.0,M11.1.0`, which holds after a zone file's last transition.
struct PosixTimeZone: Sendable {
  private enum Date {
    case monthWeekDay(month: Int, week: Int, day: Int)
    case julian(Int)
    case dayOfYear(Int)
  }

  private struct Change {
    let date: Date
    let secondOfDay: Int
  }

  private let standard: Int
  private var daylight: (offset: Int, start: Change, end: Change)?

  /// `nil` for text that is no POSIX time zone rule.
  init?(_ text: String) {
    var scanner = Scanner(rest: Substring(text))
    guard scanner.name(), let west = scanner.time() else { return nil }
    standard = -west
    if scanner.rest.isEmpty { return }
    guard scanner.name() else { return nil }
    var offset = standard + 3600
    if scanner.rest.first != "," {
      guard let west = scanner.time() else { return nil }
      offset = -west
    }
    guard scanner.take(","), let start = scanner.change(), scanner.take(","), let end = scanner.change(), scanner.rest.isEmpty else {
      return nil
    }
    daylight = (offset, start, end)
  }

  /// Seconds east of UTC at `time`, in seconds since 1970.
  func offset(at time: Int) -> Int {
    guard let daylight else { return standard }
    let year = CivilDate(days: (time + standard).flooredDivision(by: 86_400)).year
    let start = second(of: daylight.start, in: year) - standard
    let end = second(of: daylight.end, in: year) - daylight.offset
    let isDaylight = start < end ? start <= time && time < end : !(end <= time && time < start)
    return isDaylight ? daylight.offset : standard
  }

  // In local time, as seconds since 1970.
  private func second(of change: Change, in year: Int) -> Int {
    let newYear = CivilDate(year: year, month: 1, day: 1).days
    let isLeap = CivilDate(year: year + 1, month: 1, day: 1).days - newYear == 366
    let days: Int
    switch change.date {
    case .dayOfYear(let number): days = newYear + number
    case .julian(let number): days = newYear + number - 1 + (isLeap && number >= 60 ? 1 : 0)
    case .monthWeekDay(let month, let week, let day):
      let first = CivilDate(year: year, month: month, day: 1).days
      let next = month == 12 ? CivilDate(year: year + 1, month: 1, day: 1).days : CivilDate(year: year, month: month + 1, day: 1).days
      // 1970-01-01 was a Thursday, day 4 of the week.
      let weekday = (first + 4) - (first + 4).flooredDivision(by: 7) * 7
      var candidate = first + (day - weekday + 7) % 7 + (week - 1) * 7
      while candidate >= next { candidate -= 7 }
      days = candidate
    }
    return days * 86_400 + change.secondOfDay
  }

  private struct Scanner {
    var rest: Substring

    mutating func take(_ character: Character) -> Bool {
      guard rest.first == character else { return false }
      rest.removeFirst()
      return true
    }

    mutating func name() -> Bool {
      if take("<") {
        guard let end = rest.firstIndex(of: ">") else { return false }
        rest = rest[rest.index(after: end)...]
        return true
      }
      let letters = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest[letters.endIndex...]
      return letters.count >= 3
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard digits.count <= 4, let value = Int(digits), range.contains(value) else { return nil }
      rest = rest[digits.endIndex...]
      return value
    }

    // [+-]hh[:mm[:ss]]
    mutating func time() -> Int? {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      guard var seconds = number(0...167).map({ $0 * 3600 }) else { return nil }
      for unit in [60, 1] where take(":") {
        guard let value = number(0...59) else { return nil }
        seconds += value * unit
      }
      return isNegative ? -seconds : seconds
    }

    mutating func change() -> Change? {
      guard let date = date() else { return nil }
      guard take("/") else { return Change(date: date, secondOfDay: 7200) }
      return time().map { Change(date: date, secondOfDay: $0) }
    }

    private mutating func date() -> Date? {
      if take("J") { return number(1...365).map(Date.julian) }
      guard take("M") else { return number(0...365).map(Date.dayOfYear) }
      guard let month = number(1...12), take("."), let week = number(1...5), take("."), let day = number(0...6) else { return nil }
      return .monthWeekDay(month: month, week: week, day: day)
    }
  }
}

// A date of the Gregorian calendar as days since 1970; eras of 400 years, years that begin in March.
private struct CivilDate {
  let days: Int
  let year: Int

  init(year: Int, month: Int, day: Int) {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.flooredDivision(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    self.year = year
  }

  init(days: Int) {
    let shifted = days + 719_468
    let era = shifted.flooredDivision(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    self.days = days
    year = yearOfEra + era * 400 + (dayOfYear >= 306 ? 1 : 0)
  }
}
