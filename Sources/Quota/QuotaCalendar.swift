/// Says in which quota day a time lies.
public struct QuotaCalendar: Sendable {
  private enum Rule: Sendable {
    case zone(TimeZoneRules)
    case period(milliseconds: Int)
  }

  private let rule: Rule

  /// Days that begin at midnight in America/Los_Angeles, 23 or 25 hours long when daylight saving time changes.
  ///
  /// Throws when the system has no data for that zone: days must not silently be those of UTC.
  public static func pacific(directories: [String]? = nil) throws(TimeZoneDataError) -> QuotaCalendar {
    let rules = try TimeZoneRules(zone: "America/Los_Angeles", directories: directories ?? TimeZoneRules.systemDirectories())
    // A file under the right name with another zone's rules would move every reset by hours.
    for time in [1_768_478_400, 1_784_116_800] where ![-8 * 3600, -7 * 3600].contains(rules.offset(at: time)) {
      throw TimeZoneDataError(
        message: "The time zone data for America/Los_Angeles says UTC\(rules.offset(at: time) / 3600) hours. Reinstall the package tzdata.")
    }
    return QuotaCalendar(rule: .zone(rules))
  }

  /// Days of equal length, counted from 1970; a length below one millisecond is one millisecond.
  public static func fixedPeriod(_ length: Duration) -> QuotaCalendar {
    QuotaCalendar(rule: .period(milliseconds: max(1, length.milliseconds)))
  }

  /// The day that holds `time`, in milliseconds since 1970.
  public func day(containing time: Int) -> QuotaDay {
    switch rule {
    case .period(let length):
      let start = time.flooredDivision(by: length) * length
      return QuotaDay(start: start, end: start + length)
    case .zone(let rules):
      let seconds = time.flooredDivision(by: 1000)
      let date = (seconds + rules.offset(at: seconds)).flooredDivision(by: 86_400)
      return QuotaDay(start: rules.midnight(ofDate: date) * 1000, end: rules.midnight(ofDate: date + 1) * 1000)
    }
  }

  /// The boundaries of the day around `time`, of the one before and of the one after, rising.
  public func boundaries(around time: Int) -> [Int] {
    let today = day(containing: time)
    return [day(containing: today.start - 1).start, today.start, today.end, day(containing: today.end).end]
  }
}

extension TimeZoneRules {
  // The second at which the local date `date` (days since 1970) begins.
  fileprivate func midnight(ofDate date: Int) -> Int {
    let local = date * 86_400
    let guess = local - offset(at: local)
    return local - offset(at: guess)
  }
}

extension Duration {
  /// Whole milliseconds, rounded up, so that a wait is never too short.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    let fraction = Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    return Int(clamping: seconds).multipliedReportingOverflow(by: 1000).partialValue &+ fraction
  }
}

extension Int {
  func flooredDivision(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  func ceilingDivision(by divisor: Int) -> Int { -(-self).flooredDivision(by: divisor) }
}
