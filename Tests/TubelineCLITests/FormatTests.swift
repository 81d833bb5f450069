import JSON
import Kafka
import Telemetry
import Testing

@testable import TubelineCLI

@Suite("Formats", .timeLimit(.minutes(1)))
struct FormatTests {
  private func record(key: String = "v1", _ value: String?) -> ConsumedRecord {
    ConsumedRecord(
      topic: "video-records", partition: 3, offset: 7, timestamp: 1000, key: Array(key.utf8), value: value.map { Array($0.utf8) })
  }

  private func line(_ formatter: RecordFormatter, _ value: String?) throws -> String {
    var formatter = formatter
    let document = try value.map { try JSONDocument.parse(Array($0.utf8)) }
    return String(decoding: formatter.lines(record(value), document?.root), as: UTF8.self) + formatter.flush()
  }

  private let jsonl = RecordFormatter(kind: .videos, format: .jsonl, width: nil)
  private let csv = RecordFormatter(kind: .videos, format: .csv, width: nil)

  @Test func jsonLinesAreTheValuesAsTheyAre() throws {
    let value = #"{"videoId": "v1", "x" :1.0}"#
    #expect(try line(jsonl, value) == value + "\n")
  }

  @Test func aValueOfSeveralLinesBecomesOne() throws {
    #expect(try line(jsonl, "{\n \"videoId\": \"v1\"\r\n}") == "{\"videoId\":\"v1\"}\n")
  }

  @Test func aTombstoneSaysSo() throws {
    #expect(try line(jsonl, nil) == "{\"videoId\":\"v1\",\"tombstone\":true}\n")
    let row = try line(csv, nil)
    #expect(row.hasPrefix("v1,") && row.hasSuffix(",true\r\n"))
  }

  @Test func csvRowsHaveAsManyCellsAsTheHeader() throws {
    let header = csv.header().split(separator: ",", omittingEmptySubsequences: false).count
    let row = try line(csv, #"{"videoId":"v1"}"#).split(separator: ",", omittingEmptySubsequences: false).count
    #expect(header == row)
    #expect(csv.header().hasPrefix("videoId,url,channelId,channelTitle,title,"))
  }

  @Test(arguments: [
    (["plain"], "plain\r\n"), (["a,b", "c\"d", "e\nf"], "\"a,b\",\"c\"\"d\",\"e\nf\"\r\n"), ([" a", ""], "\" a\",\r\n"),
    (["ü", "😀"], "ü,😀\r\n"),
    (["a\r\nb"], "\"a\r\nb\"\r\n"), (["\"\u{301},", "x"], "\"\"\"\u{301},\",x\r\n"),
  ])
  func csvIsQuotedAsRFC4180Says(cells: [String], text: String) {
    #expect(CSVLine.text(cells) == text)
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+49", "'+49"), ("-x", "'-x"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\tx"), ("＝1", "'＝1"), ("a=b", "a=b"), ("", ""),
  ])
  func formulasAreDisarmed(text: String, disarmed: String) {
    #expect(CSVLine.disarmed(text) == disarmed)
  }

  @Test func onlyFreeTextIsDisarmedAndOnlyUnlessRaw() throws {
    let value = #"{"videoId":"-abc","title":"=HYPERLINK(1)","statistics":{"viewCount":5},"tags":["=a","b"]}"#
    #expect(try line(csv, value).hasPrefix("-abc,,,,'=HYPERLINK(1),"))
    #expect(try line(csv, value).contains(",'=a|b,"))
    var raw = csv
    raw.isRaw = true
    #expect(try line(raw, value).hasPrefix("-abc,,,,=HYPERLINK(1),"))
  }

  @Test func nothingInALineForATerminalTurnsTheWritingDirection() throws {
    var formatter = jsonl
    formatter.isForTerminal = true
    let shown = try line(formatter, "{\"title\":\"\u{202E}a\u{2028}\u{61C}\u{85}é\"}")
    #expect(shown == "{\"title\":\"\\u202ea\\u2028\\u061c\\u0085é\"}\n")
  }

  @Test func theWholeMessageIsShownWhenAskedFor() throws {
    var formatter = jsonl
    formatter.showsMessage = true
    let tree = try JSONTree.parse(Array(try line(formatter, #"{"videoId":"v1"}"#).utf8))
    #expect(tree["partition"]?.int == 3 && tree["offset"]?.int == 7 && tree["key"]?.string == "v1")
    #expect(tree["value"]?["videoId"]?.string == "v1")
  }

  @Test(arguments: [
    ("a\nb\tc", "a b c"), ("\u{1B}[31mred", "␛[31mred"), ("\u{202E}evil", "<U+202E>evil"), ("\u{9B}2J", "<U+009B>2J"), ("\u{7F}", "␡"),
    ("日本 👨‍👩‍👧", "日本 👨‍👩‍👧"),
  ])
  func controlCharactersAreMadeVisible(text: String, visible: String) {
    #expect(VisibleText.of(text) == visible)
  }

  @Test func aTerminalSeesNoControlCharactersInJSONEither() throws {
    var formatter = jsonl
    formatter.isForTerminal = true
    #expect(try line(formatter, "{\"videoId\":\"a\u{9B}\u{7F}é\"}") == "{\"videoId\":\"a\\u009b\\u007fé\"}\n")
  }

  @Test(arguments: [("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("👨‍👩‍👧", 2), ("❤️", 2), ("한글", 4), ("a\u{200B}b", 2), ("…", 1)])
  func widthIsThatOfATerminal(text: String, width: Int) {
    #expect(TextWidth.of(text) == width)
  }

  @Test func textIsClippedByColumns() {
    #expect(TextWidth.clipped("日本語", to: 6) == "日本語")
    #expect(TextWidth.clipped("日本語", to: 5) == "日本…")
    #expect(TextWidth.clipped("日本語", to: 4) == "日…")
    #expect(TextWidth.clipped("abc", to: 0) == "")
  }

  @Test func flexibleColumnsGiveWayInANarrowTerminal() {
    var table = TextTable(columns: [.init("id"), .init("title", flexible: true), .init("n", .right)])
    table.append(["abc", String(repeating: "x", count: 50), "1,234"])
    let lines = table.text(width: 30).split(separator: "\n")
    #expect(lines.allSatisfy { TextWidth.of(String($0)) <= 30 })
    #expect(lines[1].hasPrefix("abc  xxxx") && lines[1].hasSuffix("…  1,234"))
    #expect(table.text().split(separator: "\n")[1].count == 3 + 2 + 50 + 2 + 5)
  }

  @Test func linesOfTablesEndWithoutBlanks() {
    var table = TextTable(columns: [.init("id"), .init("status")])
    table.append(["abc", ""])
    #expect(table.text() == "id   status\nabc\n")
  }

  @Test func aLaterRowOfATableIsNotCutByTheWidthsOfEarlierOnes() {
    var table = StreamingTable(columns: [.init("id"), .init("title", flexible: true)], width: 30)
    let first = table.append(["a", "x"]) + table.flush()
    let second = table.append(["channel-requests-0-7", String(repeating: "y", count: 50)]) + table.flush()
    #expect(first == "id  title\na   x\n")
    #expect(second == "channel-requests-0-7  yyyyyyy…\n")
    var file = StreamingTable(columns: [.init("id"), .init("title", flexible: true)], width: nil)
    _ = file.append(["a", "x"]) + file.flush()
    #expect((file.append(["a", "a longer title"]) + file.flush()).contains("a longer title"))
  }

  @Test func eventsHaveRoomForEveryType() throws {
    var formatter = RecordFormatter(kind: .events, format: .table, width: nil)
    let document = try JSONDocument.parse(Array(#"{"requestId":"r","type":"page","stage":"videos"}"#.utf8))
    let bytes = formatter.lines(record(""), document.root)
    let lines = (String(decoding: bytes, as: UTF8.self) + formatter.flush()).split(separator: "\n")
    #expect(lines[1].contains("page        videos"))
  }

  @Test(arguments: [(0, "0 s"), (59, "59 s"), (65, "1 min 5 s"), (3600, "1 h"), (25_920, "7 h 12 min"), (29 * 86_400, "29 d")])
  func spansAreTheTwoLargestUnits(seconds: Int, text: String) {
    #expect(Spans.short(.seconds(seconds)) == text)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
  func countsAreGrouped(number: Int, text: String) {
    #expect(Spans.count(number) == text)
  }
}
