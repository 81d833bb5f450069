import FoundationEssentials
import Messages
import Quota
import Telemetry
import Testing

@testable import Monitoring
@testable import TubelineCLI

@Suite("The status in a terminal", .timeLimit(.minutes(1)))
struct StatusScreenTests {
  private static let now = Date(timeIntervalSince1970: 1_769_860_800)

  private static func id(_ number: Int) -> String { "0b8ac0ae-6c5f-4d6a-9a44-2f7a1de8c0\(number / 10)\(number % 10)" }

  private static func request(_ number: Int) -> RequestStatus {
    var request = RequestStatus(id: id(number))
    var event = RequestEvent(requestID: request.id, kind: .resolved, stage: .channels, at: Timestamp.rfc3339(now.addingTimeInterval(-90)))
    event.title = "A channel whose title is long enough to be in the way"
    event.videoCount = 4321
    request.note(event)
    return request
  }

  private static func report(_ requests: Int, omitted: Int = 0) -> StatusReport {
    let stages = [StageName.channels, .playlists, .videos].map { stage in
      var worker = WorkerReport(stage: stage, worker: "b7b3a3e6-3c43-4f0e-8a7f-000000000001", at: Timestamp.rfc3339(now))
      worker.waitingForQuota = [.init(bucket: "default", calls: 3, reason: "usedUp", until: "2026-02-01T08:00:00Z")]
      return StageStatus(
        stage: stage, group: "g", members: 2, partitions: 12, assigned: 11,
        backlog: Backlog(lag: RecordCount(records: 2345, isExact: false)),
        workers: [worker])
    }
    let quota = BucketStatus(bucket: .default, spent: 9999, limit: 10_000, remaining: 1, resetsAt: now, isExhausted: true, drift: 0)
    return StatusReport(
      at: now, requests: (0..<requests).map(request), omitted: omitted, unknown: [], stages: stages, quota: [quota], problems: [])
  }

  private static func lines(
    _ report: StatusReport, _ columns: Int, _ rows: Int, troubles: [String] = [], isDetailed: Bool = false
  ) -> [Substring] {
    let screen = TerminalScreen(columns: columns, rows: rows)
    let drawing = StatusDisplay.drawing(report, troubles, isDetailed: isDetailed, on: screen)
    return drawing.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test(arguments: [(160, 24), (80, 24), (80, 30)]) func tablesBelowTheRequestsStayOnTheScreen(columns: Int, rows: Int) {
    let lines = Self.lines(Self.report(20), columns, rows)
    #expect(lines.count == rows - 2)
    #expect(lines.last?.hasPrefix("default") == true, "\(lines)")
    // Titles, blanks, three stages, three workers, a bucket, and the line that tells of the rest.
    let shown = rows - 2 - 15
    #expect(lines.contains("and \(20 - shown) more requests; --active, or a request id, shows them"), "\(lines)")
    #expect(lines.count { $0.hasPrefix("0b8ac0ae") } == shown)
    #expect(lines.allSatisfy { TextWidth.of(String($0).replacing("\u{1B}[H\u{1B}[J", with: "")) <= columns }, "\(lines)")
  }

  @Test func whatALimitLeavesOutIsCountedToo() {
    #expect(Self.lines(Self.report(20, omitted: 30), 160, 24).contains("and 43 more requests; --active, or a request id, shows them"))
    #expect(Self.lines(Self.report(5, omitted: 30), 160, 24).contains("and 30 more: --limit N shows N"))
  }

  @Test func aScreenThatHasRoomShowsAll() {
    let lines = Self.lines(Self.report(8), 160, 24)
    #expect(lines.count == 22 && !lines.contains { $0.hasPrefix("and ") } && lines.last?.hasPrefix("default") == true)
  }

  // Titles, three stages, three workers and a bucket with two blank lines: 12 rows below a line and a blank one.
  @Test(arguments: [(160, 16), (80, 17), (80, 18)]) func requestsShrinkToALineBeforeAnythingElseGoes(columns: Int, rows: Int) {
    let lines = Self.lines(Self.report(20, omitted: 30), columns, rows)
    #expect(lines.first?.hasSuffix("50 requests: 20 running, 30 older") == true, "\(lines)")
    #expect(lines.last?.hasPrefix("default") == true && !lines.contains { $0.contains("more") }, "\(lines)")
  }

  @Test func whatDoesNotFitAtAllIsCounted() {
    let lines = Self.lines(Self.report(20), 80, 10)
    #expect(lines.count == 8 && lines[0].hasSuffix("20 requests: 20 running") && lines.last == "… 7 more lines", "\(lines)")
    let named = Self.lines(Self.report(4), 80, 10, isDetailed: true)
    #expect(named.count == 8 && named.last?.hasSuffix(" more lines") == true, "\(named)")
  }

  @Test func nothingActiveIsNotNothing() {
    var report = Self.report(0)
    #expect(StatusView(report: report, width: 80, isDetailed: false).text.hasPrefix("No requests.\n"))
    report.isActiveOnly = true
    #expect(StatusView(report: report, width: 80, isDetailed: false).text.hasPrefix("No active requests.\n"))
  }

  @Test func troublesAboveTakeTheRowsThatTheyWrapInto() {
    let lines = Self.lines(Self.report(20), 80, 30, troubles: [String(repeating: "x", count: 100)])
    #expect(lines.count == 27 && lines.last?.hasPrefix("default") == true)
  }

  @Test func requestsThatWereNamedAreNotLeftOut() {
    #expect(!Self.lines(Self.report(4), 160, 24, isDetailed: true).contains { $0.hasPrefix("and ") })
  }

  @Test func idsCanBeCopiedInEightyColumnsAndAPipeGetsAll() {
    let report = Self.report(2)
    let narrow = StatusView(report: report, width: 80, isDetailed: false).text
    let lines = narrow.split(separator: "\n")
    #expect(lines.allSatisfy { TextWidth.of(String($0)) <= 80 }, "\(narrow)")
    #expect(narrow.contains("\(Self.id(1))  running  A channel") && narrow.contains("0 of 4,321"), "\(narrow)")
    #expect(narrow.contains("waits for quota (default, usedUp)") && narrow.contains("about 2,345"), "\(narrow)")
    #expect(!narrow.contains("unavailable"))
    let whole = StatusView(report: report, width: nil, isDetailed: false).text
    for part in ["unavailable", "2026-01-31T11:58Z", "resolved, 1 min 30 s ago", "host", "not due yet"] {
      #expect(whole.contains(part), "\(whole)")
    }
    #expect(!whole.contains("…"))
  }

  @Test func aSmallScreenKeepsStatesAndCounts() {
    let lines = StatusView(report: Self.report(1), width: 40, isDetailed: false).text.split(separator: "\n")
    #expect(lines[0].contains("state") && lines[0].contains("videos"), "\(lines)")
    #expect(lines[1].hasPrefix("0b8ac0ae") && lines[1].contains("running") && lines[1].contains("0 of 4,321"), "\(lines)")
  }

  @Test func searchesAreNoUnits() {
    var event = RequestEvent(requestID: "r", kind: .completed, stage: .search, at: "2026-01-31T11:58:30Z")
    event.totals = Totals(pages: 2, units: 1, searches: 2)
    var request = RequestStatus(id: "r")
    request.note(event)
    #expect(request.json["units"] == 1 && request.json["searches"] == 2)
    #expect(!StatusView(report: Self.report(1), width: nil, isDetailed: false).text.contains("searches"))
    let report = StatusReport(at: Self.now, requests: [request], omitted: 0, unknown: [], stages: [], quota: nil, problems: [])
    #expect(StatusView(report: report, width: nil, isDetailed: false).text.contains("units  searches"))
  }

  @Test(arguments: [("dumb", true, false), ("xterm", true, true), ("xterm", false, false)])
  func aTerminalThatOnlyTakesLinesGetsNoLiveView(term: String, isTerminal: Bool, isLive: Bool) throws {
    let arguments = try HarvestCommand.specification.parser.parse(["@x"])
    let options = try HarvestOptions(arguments, environment: ["TERM": term], isTerminal: isTerminal)
    #expect(options.isLive == isLive && options.isColoured == isLive)
  }
}
