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

  @Test func threadsAndStatesMakeNoOtherLine() {
    let lines = RepeatedLines()
    let start = ContinuousClock.now
    let told = [
      "FAIL [thrd:b:1/bootstrap]: b:1/bootstrap: Connect to ipv4#127.0.0.1:1 failed: Connection refused (after 0ms in state CONNECT)",
      "FAIL [thrd:b:1/1]: b:1/bootstrap: Connect to ipv4#127.0.0.1:1 failed: Connection refused "
        + "(after 0ms in state CONNECT, 1 identical error(s) suppressed)",
      "FAIL [thrd:b:1/1]: b:1/bootstrap: SASL authentication error: wrong password",
    ].map { lines.suppressed(before: $0, at: start) }
    #expect(told == [0, nil, 0])
  }
}
