import Testing

@testable import Kafka

@Suite("Repeated lines")
struct RepeatedLinesTests {
  @Test func aKindOfLineIsToldOnceInAWhileWithWhatWasKeptBack() {
    let lines = RepeatedLines()
    let start = ContinuousClock.now
    #expect(lines.suppressed(before: "broker:9092 refused after 3ms", at: start) == 0)
    #expect(lines.suppressed(before: "broker:9093 refused after 0ms", at: start + .seconds(1)) == nil)
    #expect(lines.suppressed(before: "another line", at: start + .seconds(1)) == 0)
    #expect(lines.suppressed(before: "broker:9092 refused after 3ms", at: start + .seconds(29)) == nil)
    #expect(lines.suppressed(before: "broker:9092 refused after 3ms", at: start + RepeatedLines.interval) == 2)
    #expect(lines.suppressed(before: "broker:9092 refused after 3ms", at: start + RepeatedLines.interval + .seconds(1)) == nil)
  }
}
