import Foundation
import Telemetry
import Testing

@testable import Quota

@Suite(.timeLimit(.minutes(1)))
struct QuotaCalendarTests {
  private func day(at text: String, _ calendar: QuotaCalendar) throws -> QuotaDay {
    let date = try #require(Timestamp.parse(text))
    return calendar.day(containing: Int(date.timeIntervalSince1970 * 1000))
  }

  @Test(arguments: [
    // (a moment, its day's start, its day's end)
    ("2026-01-15T12:00:00Z", "2026-01-15T08:00:00Z", "2026-01-16T08:00:00Z"),
    ("2026-07-15T06:59:59Z", "2026-07-14T07:00:00Z", "2026-07-15T07:00:00Z"),
    ("2026-07-15T07:00:00Z", "2026-07-15T07:00:00Z", "2026-07-16T07:00:00Z"),
    // Daylight saving begins: 23 hours.
    ("2026-03-08T12:00:00Z", "2026-03-08T08:00:00Z", "2026-03-09T07:00:00Z"),
    ("2026-03-08T09:59:59Z", "2026-03-08T08:00:00Z", "2026-03-09T07:00:00Z"),
    ("2026-03-09T07:00:00Z", "2026-03-09T07:00:00Z", "2026-03-10T07:00:00Z"),
    // It ends: 25 hours.
    ("2026-11-01T07:00:00Z", "2026-11-01T07:00:00Z", "2026-11-02T08:00:00Z"),
    ("2026-11-02T07:59:59Z", "2026-11-01T07:00:00Z", "2026-11-02T08:00:00Z"),
    // After the file's last transition only its rule remains.
    ("2045-03-12T20:00:00Z", "2045-03-12T08:00:00Z", "2045-03-13T07:00:00Z"),
    ("2045-11-05T20:00:00Z", "2045-11-05T07:00:00Z", "2045-11-06T08:00:00Z"),
    ("2099-12-31T23:00:00Z", "2099-12-31T08:00:00Z", "2100-01-01T08:00:00Z"),
  ])
  func pacificDaysBeginAtLocalMidnight(moment: String, start: String, end: String) throws {
    let day = try day(at: moment, .pacific())
    #expect(day.startsAt == Timestamp.parse(start))
    #expect(day.endsAt == Timestamp.parse(end))
  }

  @Test func daysOfAHundredYearsTouchAndHold23To25Hours() throws {
    let calendar = try QuotaCalendar.pacific()
    var previous = calendar.day(containing: 0)
    var lengths: [Int: Int] = [:]
    var time = 0
    while time < 4_102_444_800_000 {
      let day = calendar.day(containing: time)
      if !(day.start <= time && time < day.end) { Issue.record("\(time) is not in \(day)") }
      if day != previous {
        if day.start != previous.end { Issue.record("\(day) does not follow \(previous)") }
        lengths[day.length / 3_600_000, default: 0] += 1
        previous = day
      }
      time += 6 * 3_600_000
    }
    #expect(Set(lengths.keys) == [23, 24, 25])
    #expect(lengths[23] == lengths[25])
  }

  @Test func boundariesAreTheDaysAroundATime() {
    let calendar = QuotaCalendar.fixedPeriod(.seconds(2))
    #expect(calendar.boundaries(around: 5000) == [2000, 4000, 6000, 8000])
    #expect(calendar.boundaries(around: 4000) == [2000, 4000, 6000, 8000])
    #expect(calendar.day(containing: -1) == QuotaDay(start: -2000, end: 0))
  }

  @Test func aSystemWithoutZoneDataIsAnError() throws {
    let error = #expect(throws: TimeZoneDataError.self) { try QuotaCalendar.pacific(directories: ["/nonexistent", "/also-nonexistent"]) }
    #expect(error?.message.contains("/nonexistent, /also-nonexistent") == true)
    #expect(error?.message.contains("tzdata") == true)
  }

  @Test func aFileWithAnotherZonesRulesIsAnError() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "zones-\(UInt32.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: directory) }
    try FileManager.default.createDirectory(at: directory.appending(path: "America"), withIntermediateDirectories: true)
    let file = directory.appending(path: "America/Los_Angeles")
    for bytes in [zoneFile(offset: 0, rule: "GMT0"), Data("TZif2 but no more".utf8), Data()] {
      try bytes.write(to: file)
      #expect(throws: TimeZoneDataError.self) { try QuotaCalendar.pacific(directories: [directory.path]) }
    }
    try zoneFile(offset: -28_800, rule: "PST8PDT,M3.2.0,M11.1.0").write(to: file)
    #expect(
      try day(at: "2026-07-15T07:00:00Z", .pacific(directories: [directory.path])).startsAt == Timestamp.parse("2026-07-15T07:00:00Z"))
  }

  @Test func noTruncatedZoneFileIsReadOrCrashes() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/America/Los_Angeles")))
    for count in 0..<bytes.count { #expect(TimeZoneRules(bytes: Array(bytes.prefix(count))) == nil) }
    #expect(TimeZoneRules(bytes: bytes) != nil)
  }

  @Test(arguments: [
    ("UTC0", "2026-07-01T00:00:00Z", 0), ("<+0330>-3:30", "2026-07-01T00:00:00Z", 12_600),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-01T00:00:00Z", 7200), ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59Z", 3600),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 7200), ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", 3600),
    // The southern half of the earth: daylight saving spans the new year.
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-01T00:00:00Z", 39_600), ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-07-01T00:00:00Z", 36_000),
    ("EST5EDT,J60,J300", "2024-03-01T07:00:00Z", -14_400), ("EST5EDT,59,300", "2024-02-29T07:00:00Z", -14_400),
  ])
  func rulesAfterTheLastTransitionAreRead(rule: String, moment: String, offset: Int) throws {
    let zone = try #require(PosixTimeZone(rule))
    #expect(zone.offset(at: Int(try #require(Timestamp.parse(moment)).timeIntervalSince1970)) == offset)
  }

  @Test(arguments: ["", "PST", "8", "PST8PDT,", "PST8PDT,M3.2.0", "PST8PDT,M13.2.0,M11.1.0", "PST8PDT,M3.2.0,M11.1.0x", "<PST8", "PST999"])
  func malformedRulesAreRefused(rule: String) {
    #expect(PosixTimeZone(rule) == nil)
  }

  // A file of version 2 without transitions: one type, and a rule for all time.
  private func zoneFile(offset: Int32, rule: String) -> Data {
    let header = Array("TZif2".utf8) + Array(repeating: 0, count: 15)
    let counts = [0, 0, 0, 0, 1, 4].flatMap { withUnsafeBytes(of: UInt32($0).bigEndian, Array.init) }
    let body = withUnsafeBytes(of: offset.bigEndian, Array.init) + [0, 0] + Array("PST\0".utf8)
    return Data(header + counts + body + header + counts + body + Array("\n\(rule)\n".utf8))
  }
}
