import Testing

@testable import Telemetry

@Suite("Process metrics", .timeLimit(.minutes(1)))
struct ProcessMetricsTests {
  @Test func thisProcessIsMeasured() throws {
    let metrics = Metrics()
    ProcessMetrics.declare(in: metrics)
    ProcessMetrics.update(metrics)
    #expect(try #require(metrics.value("process_resident_memory_bytes")) > 1_000_000)
    #expect(try #require(metrics.value("process_open_fds")) >= 3)
    #expect(try #require(metrics.value("process_max_fds")) >= 3)
    #expect(try #require(metrics.value("process_threads")) >= 1)
    #expect(try #require(metrics.value("process_start_time_seconds")) > 1_700_000_000)
    #expect(metrics.value("tubeline_build_info", BuildInformation.version) == 1)
  }

  @Test func theBootTimeIsKnownWithoutItsFile() {
    #expect(ProcessMetrics.bootTime("cpu 1 2\nbtime 1700000000\n") == 1_700_000_000)
    #expect(abs(ProcessMetrics.bootTime(nil) - ProcessMetrics.bootTime(ProcessMetrics.text("/proc/stat"))) <= 2)
  }

  @Test func aProgramsNameMayHoldBlanksAndBrackets() throws {
    let tail = "S 1 2 3 0 -1 4194560 5 6 7 8 30 12 0 0 20 0 9 0 5000 123456 77 18446744073709551615 1 1"
    let fields = try #require(ProcessStatistics("42 (a ) b (c) \(tail)"))
    #expect(fields.cpuTicks == 42 && fields.threads == 9 && fields.startTicks == 5000)
    #expect(fields.virtualBytes == 123_456 && fields.residentPages == 77)
    #expect(ProcessStatistics("42 (a) S 1") == nil)
    #expect(ProcessStatistics("") == nil)
  }
}
