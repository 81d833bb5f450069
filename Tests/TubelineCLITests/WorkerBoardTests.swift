import FoundationEssentials
import JSON
import Kafka
import Messages
import Quota
import Telemetry
import Testing

@testable import Monitoring
@testable import TubelineCLI

@Suite("Workers and the whole status", .timeLimit(.minutes(1)))
struct WorkerBoardTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private static func report(_ worker: String, age: TimeInterval = 0, _ change: (inout WorkerReport) -> Void = { _ in }) -> WorkerReport {
    var report = WorkerReport(stage: .videos, worker: worker, at: Timestamp.rfc3339(now.addingTimeInterval(-age)))
    change(&report)
    return report
  }

  private static func record(_ report: WorkerReport, tombstone: Bool = false) -> ConsumedRecord {
    ConsumedRecord(
      topic: "worker-status", partition: 0, offset: 0, key: Array(report.key.utf8), value: tombstone ? nil : report.bytes)
  }

  @Test func workersThatEndedOrFellSilentAreGone() {
    var board = WorkerBoard()
    for (worker, age) in [("b", 19), ("a", 0), ("silent", 21), ("ended", 0)] as [(String, TimeInterval)] {
      board.note(Self.record(Self.report(worker, age: age)))
    }
    board.note(Self.record(Self.report("ended"), tombstone: true))
    board.note(ConsumedRecord(topic: "worker-status", partition: 0, offset: 0, key: [0x61], value: Array("no json".utf8)))
    #expect(board.alive(at: Self.now).map(\.worker) == ["a", "b"])
  }

  @Test func aPartitionBelongsToTheWorkerThatReportedItLast() {
    var board = WorkerBoard()
    for (worker, age, numbers) in [("killed", 12, [0, 1, 2, 3]), ("heir", 1, [2, 3, 4]), ("late", 3, [0, 4]), ("gone", 21, [5])]
      as [(String, TimeInterval, [Int])]
    {
      board.note(
        Self.record(
          Self.report(worker, age: age) {
            $0.assignment = ["pages": numbers, "retry": [numbers[0] + 10]]
            $0.partitions = numbers.count + 1
          }))
    }
    // Of another stage, and of a version that does not tell.
    var other = Self.report("other") { $0.assignment = ["pages": [0, 1]] }
    other.stage = .search
    other.partitions = 2
    board.note(Self.record(other))
    board.note(Self.record(Self.report("older") { $0.partitions = 2 }))
    let counts = Dictionary(uniqueKeysWithValues: board.alive(at: Self.now).map { ($0.worker, $0.partitions) })
    #expect(counts == ["heir": 4, "late": 2, "killed": 1, "other": 2, "older": 2])
  }

  static let activities: [(WorkerReport.Activity, String, @Sendable (inout WorkerReport) -> Void)] = [
    (.idle, "idle", { _ in }), (.running, "running", { $0.running = 2 }),
    // What is handled fast is rarely running at the moment of a report.
    (.running, "running", { $0.recent = 70 }),
    (
      .waitingForQuota, "waits for quota (default, usedUp) until 2026-01-01T08:00Z",
      { $0.waitingForQuota = [.init(bucket: "default", calls: 3, reason: "usedUp", until: "2026-01-01T08:00:00Z")] }
    ),
    (.breakerOpen, "circuit breaker open: 503", { $0.outage = "503" }), (.stopped, "STOPPED: set the key", { $0.stopped = "set the key" }),
  ]

  @Test(arguments: 0..<6) func theStateOfAWorkerIsToldInWords(_ number: Int) {
    let (activity, text, change) = Self.activities[number]
    let report = Self.report("a", change)
    #expect(report.activity == activity && report.activityText == text)
    #expect(report.json["state"]?.string == activity.rawValue && report.json["worker"] == "a")
  }

  @Test func tablesShowWhatIsKnownAndNoControlCharacters() {
    var request = RequestStatus(id: "r-1\u{1B}[2J")
    var failed = RequestEvent(requestID: "r-1", kind: .failed, stage: .playlists, at: Timestamp.rfc3339(Self.now.addingTimeInterval(-90)))
    failed.error = RequestEvent.Failure(code: "attemptsExhausted", message: "tried\u{1B}]0;x\u{7}")
    request.note(failed)
    let stage = StageStatus(
      stage: .videos, group: "tubeline-videos", members: 2, partitions: 12, assigned: 11,
      backlog: Backlog(lag: RecordCount(records: 2345, isExact: false)),
      workers: [Self.report("w") { $0.outage = "503\u{9B}" }])
    let quota = BucketStatus(
      bucket: .default, spent: 9, limit: 10, remaining: 1, resetsAt: Self.now, isExhausted: false, drift: 0)
    let report = StatusReport(
      at: Self.now, requests: [request], omitted: 3, unknown: [], stages: [stage], quota: [quota], problems: [])
    let text = StatusView(report: report, width: nil, isDetailed: true).text
    for part in [
      "failed, 1 min 30 s ago", "and 3 more", "about 2,345", "11 of 12", "circuit breaker open: 503", "attemptsExhausted: tried",
    ] {
      #expect(text.contains(part), "\(text)")
    }
    #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x9B || $0.value == 7 })
    #expect(report.json["stages"]?.elements?.first?["lagIsEstimate"] == true)
  }
}
