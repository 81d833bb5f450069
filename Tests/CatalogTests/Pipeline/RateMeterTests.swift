import Messages
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct RateMeterTests {
  private static func report(_ worker: String, _ consumed: Int, started: String = "a") -> WorkerReport {
    var report = WorkerReport(stage: .videos, worker: worker, at: "2026-11-30T10:00:00Z")
    report.startedAt = started
    report.totals.consumed = consumed
    return report
  }

  @Test func aRateIsWhatAllWorkersTookInTheWindow() {
    var meter = RateMeter()
    #expect(meter.rate(.videos) == 0)
    meter.note([Self.report("1", 100), Self.report("2", 0)], at: 0)
    meter.note([Self.report("1", 150), Self.report("2", 50)], at: 10_000)
    #expect(meter.rate(.videos) == 10 && meter.rate(.channels) == 0)
    // One ends, one is started again and counts from zero.
    meter.note([Self.report("1", 50, started: "b")], at: 20_000)
    #expect(meter.rate(.videos) == 0)
    meter.note([Self.report("1", 150, started: "b")], at: 30_000)
    #expect(meter.rate(.videos) == 100.0 / 30)
  }

  @Test func countsThatFitNoIntegerEndNothing() {
    var meter = RateMeter()
    for count in [0, 1 << 53] { meter.note((0..<1025).map { Self.report("\($0)", count) }, at: count == 0 ? 0 : 1000) }
    #expect(meter.rate(.videos) == 1025 * Double(1 << 53))
  }
}
