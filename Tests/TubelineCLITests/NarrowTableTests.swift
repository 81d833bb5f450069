import FoundationEssentials
import JSON
import Kafka
import Testing

@testable import TubelineCLI

@Suite("Tables in narrow terminals", .timeLimit(.minutes(1)))
struct NarrowTableTests {
  // 2026-01-31T12:00:00Z
  private static let today = Date(timeIntervalSince1970: 1_769_860_800)
  private static let id = "0b8ac0ae-6c5f-4d6a-9a44-2f7a1de8c001"

  private func table(_ title: String = "a title that is long") -> TextTable {
    var table = TextTable(columns: [
      .init("id"), .init("at", dispensable: 3, brief: BriefTime.minute(today: Self.today)), .init("pages", .right, dispensable: 1),
      .init("title", flexible: true, dispensable: 2),
    ])
    table.append(["r-7f3a", "2026-01-31 11:59:58", "12", title])
    table.append(["r-7f3b", "2026-01-30 23:59:58", "7", ""])
    return table
  }

  static let widths: [(Int?, String)] = [
    (
      nil,
      "id      at                   pages  title\nr-7f3a  2026-01-31 11:59:58     12  a title that is long\nr-7f3b  2026-01-30 23:59:58      7\n"
    ),
    (
      55, "id      at                pages  title\nr-7f3a  11:59:58             12  a title that is long\nr-7f3b  2026-01-30 23:59      7\n"
    ),
    (50, "id      at                pages  title\nr-7f3a  11:59:58             12  a title that is …\nr-7f3b  2026-01-30 23:59      7\n"),
    (45, "id      at                title\nr-7f3a  11:59:58          a title that is lo…\nr-7f3b  2026-01-30 23:59\n"),
    (30, "id      at\nr-7f3a  11:59:58\nr-7f3b  2026-01-30 23:59\n"), (12, "id\nr-7f3a\nr-7f3b\n"),
    (4, "id\nr-7…\nr-7…\n"),
  ]

  @Test(arguments: 0..<7) func columnsGiveWayByRank(_ number: Int) {
    let (width, text) = Self.widths[number]
    #expect(table().text(width: width) == text)
  }

  @Test func whatMustNotBeCutMayBeWider() {
    #expect(table().text(width: 4, isCut: false) == "id\nr-7f3a\nr-7f3b\n")
  }

  @Test(arguments: [
    ("2026-01-31T11:59Z", "11:59Z"), ("2026-01-30T11:59Z", "2026-01-30"), ("2026-01-31 11:59:58", "11:59:58"), ("unknown", "unknown"),
    ("", ""), ("a title of sixteen", "a title of sixteen"),
  ])
  func ofADayTheDateOrTheTimeIsTold(time: String, brief: String) {
    #expect(BriefTime.day(today: Self.today)(time) == brief)
  }

  @Test func titlesAreRepeatedWhereLaterRowsMakeColumnsGo() {
    var table = StreamingTable(columns: [.init("id"), .init("n", .right, dispensable: 1)], width: 12)
    #expect(table.append(["a", "1"]) + table.flush() == "id  n\na   1\n")
    #expect(table.append(["abcdefghijkl", "2"]) + table.flush() == "id\nabcdefghijkl\n")
    #expect(table.append(["b", "3"]) + table.flush() == "b\n")
  }

  @Test func oneLongTextDoesNotPushTheColumnsOut() {
    let columns: [TextTable.Column] = [.init("id"), .init("reference", flexible: true), .init("n", .right)]
    let long = String(repeating: "x", count: 60)
    var terminal = StreamingTable(columns: columns, width: 80)
    _ = terminal.append(["a", String(repeating: "r", count: 40), "1"]) + terminal.flush()
    let row = terminal.append(["b", long, "2"]) + terminal.flush()
    #expect(row == "b   \(String(repeating: "x", count: 39))…  2\n")
    var file = StreamingTable(columns: columns, width: nil)
    _ = file.append(["a", "r", "1"]) + file.flush()
    #expect((file.append(["b", long, "2"]) + file.flush()).contains(long), "a pipe gets everything")
  }

  static let records: [(RecordKind, String, [String])] = [
    (
      .videos,
      #"{"videoId":"dQw4w9WgXcQ","channelTitle":"A channel with a long name","title":"A title that goes on and on and on, as titles do","publishedAt":"2015-06-25T01:50:54.000Z","availability":"available","durationSeconds":1234,"statistics":{"viewCount":1234567890}}"#,
      ["dQw4w9WgXcQ", "2015-06-25", "A title that"]
    ),
    (
      .channels,
      #"{"channelId":"UC_x5XG1OV2P6uZZ5FSM9Ttw","title":"Google for Developers","customUrl":"@googledevelopers","reference":"https://www.youtube.com/@googledevelopers","publishedAt":"2007-08-23T00:34:43Z","country":"US","statistics":{"videoCount":6543,"subscriberCount":2480000,"viewCount":312345678}}"#,
      ["UC_x5XG1OV2P6uZZ5FSM9Ttw", "2,480,000", "@googledevelopers"]
    ),
    (
      .events,
      #"{"at":"2026-01-31T11:59:58.123Z","requestId":"0b8ac0ae-6c5f-4d6a-9a44-2f7a1de8c001","type":"page","stage":"videos","reference":"https://www.youtube.com/@googledevelopers","pageNumber":3,"records":50,"totals":{"pages":3,"items":150,"units":7}}"#,
      ["11:59:58", Self.id, "page"]
    ),
  ]

  @Test(arguments: 0..<3) func recordsFitEightyColumnsWithTheirIDs(_ number: Int) throws {
    let (kind, value, parts) = Self.records[number]
    var formatter = RecordFormatter(kind: kind, format: .table, width: 80, today: Self.today)
    let bytes = Array(value.utf8)
    let record = ConsumedRecord(topic: "t", partition: 0, offset: 0, value: bytes)
    let text = String(decoding: formatter.lines(record, try JSONDocument.parse(bytes).root), as: UTF8.self) + formatter.flush()
    #expect(text.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 80 }, "\(text)")
    for part in parts { #expect(text.contains(part), "\(text)") }
    var file = RecordFormatter(kind: kind, format: .table, width: nil, today: Self.today)
    let whole = String(decoding: file.lines(record, try JSONDocument.parse(bytes).root), as: UTF8.self) + file.flush()
    #expect(whole.contains(":5") || whole.contains(":43"), "\(whole)")
    #expect(!whole.contains("…"))
  }

  @Test func deadLettersKeepTheirNamesAndReasonsInEightyColumns() {
    var table = StreamingTable(columns: DeadLettersListCommand.columns(true), width: 80)
    let reason = "the API answered 403 forbidden, for a reason that takes many words"
    let text =
      table.append([
        "playlists-0-17", "pending", "2026-01-31 11:59:58", "attemptsExhausted", "UC_x5XG1OV2P6uZZ5FSM9Ttw", "channel-requests-1-7", reason,
      ]) + table.flush()
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { TextWidth.of(String($0)) <= 80 }, "\(text)")
    #expect(lines[0].hasPrefix("letter          state") && lines[0].hasSuffix("reason"), "\(text)")
    #expect(lines[1].hasPrefix("playlists-0-17  pending") && lines[1].contains("the API answered 403"), "\(text)")
  }
}
