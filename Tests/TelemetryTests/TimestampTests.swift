import FoundationEssentials
import Telemetry
import Testing

@Suite("Timestamp", .timeLimit(.minutes(1)))
struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0.0), ("2026-11-30T02:49:39.123Z", 1_796_006_979.123), ("2000-02-29T00:00:00Z", 951_782_400),
    ("2024-02-29T23:59:59Z", 1_709_251_199), ("2026-01-01T01:00:00+01:00", 1_767_225_600), ("2025-12-31T18:30:00-05:30", 1_767_225_600),
    ("1969-12-31T23:59:59Z", -1), ("2026-01-01t00:00:00z", 1_767_225_600), ("2026-01-01T00:00:00.5Z", 1_767_225_600.5),
    ("2016-12-31T23:59:60Z", 1_483_228_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
  ])
  func readsRFC3339(text: String, seconds: Double) throws {
    let date = try #require(Timestamp.parse(text))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 0.0005)
  }

  @Test(arguments: [
    "", "now", "2026", "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z",
    "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00ZZ", "2026-01-01 00:00:00Z",
    "-026-01-01T00:00:00Z", "2026-01-01T00:00:00.1234567890123456789Z", "２０２６-01-01T00:00:00Z", "1767225600", "2026-01-01T00:00:00+99:00",
    "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
  ])
  func nonsenseIsNoTime(text: String) { #expect(Timestamp.parse(text) == nil) }

  @Test func everyMillisecondSurvivesReadingAndWriting() throws {
    for millisecond in stride(from: 0, to: 1000, by: 1) {
      let digits = String(millisecond)
      let text = "2026-11-30T02:49:39.\(String(repeating: "0", count: 3 - digits.count))\(digits)Z"
      #expect(Timestamp.rfc3339(try #require(Timestamp.parse(text))) == text)
    }
  }

  @Test func everyDayOfFourCenturiesSurvives() throws {
    for day in stride(from: -200_000, to: 200_000, by: 7) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3661)
      #expect(Timestamp.parse(Timestamp.rfc3339(date)) == date)
    }
  }

  @Test(arguments: [Double.infinity, -Double.infinity, Double.nan, 1e300, -1e300])
  func timesBeyondAllCalendarsDoNotTrap(seconds: Double) {
    #expect(Timestamp.parse(Timestamp.rfc3339(Date(timeIntervalSince1970: seconds))) != nil)
  }
}
