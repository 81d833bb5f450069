import FoundationEssentials
import JSON
import Kafka
import Messages
import Telemetry
import Testing

@testable import Monitoring

@Suite("Counts of what waits", .timeLimit(.minutes(1)))
struct BacklogTests {
  @Test func markersOfTransactionsAreNoRecords() {
    var tally = RecordTally()
    tally.add(0, 10..<20)
    // Ten offsets, of which three are records.
    for offset in [10, 12, 15] as [Int64] { _ = tally.note(0, offset: offset, bytes: 1) }
    #expect(!tally.isFinished)
    tally.reached(0, 20)
    #expect(tally.isFinished && tally.result == RecordCount(records: 3, isExact: true))
    #expect(tally.offsetsRead == 10 && tally.density == 0.3)
  }

  @Test func recordsOutsideOfTheStretchAreNotCounted() {
    var tally = RecordTally()
    tally.add(0, 10..<12)
    // The log begins behind the stretch by now.
    let counted = [9, 15].map { tally.note(0, offset: $0, bytes: 1) }
    #expect(counted == [false, false] && !tally.isFinished)
    tally.reached(0, 15)
    #expect(tally.isFinished && tally.result == .none && tally.offsetsRead == 2 && tally.density == 0)
  }

  @Test func whatComesLaterDoesNotCount() {
    var tally = RecordTally()
    tally.add(0, 0..<2)
    let counted = [0, 1, 2, 1].map { tally.note(0, offset: $0, bytes: 1) }
    #expect(counted == [true, true, false, false] && tally.result.records == 2)
  }

  @Test func beyondTheBoundTheRestIsAsFullAsTheStart() {
    var tally = RecordTally(limit: 10)
    tally.add(0, 0..<200)
    for record in 0..<10 { _ = tally.note(0, offset: Int64(record * 2), bytes: 1) }
    #expect(tally.isFinished && !tally.result.isExact)
    // 10 records in 19 offsets, and 181 offsets to go.
    #expect(tally.result == RecordCount(records: 10 + 95, isExact: false))
  }

  @Test func withoutAnythingReadEachOffsetMayBeARecord() {
    var tally = RecordTally()
    tally.add(0, 5..<25)
    #expect(tally.result == RecordCount(records: 20, isExact: false))
    #expect(RecordTally().result == .none && RecordTally().isFinished)
  }

  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func record(_ topic: String, _ offset: Int64, value: [UInt8]? = [1], _ headers: [String: String] = [:]) -> ConsumedRecord {
    ConsumedRecord(
      topic: topic, partition: 0, offset: offset, value: value,
      headers: headers.map { KafkaHeader(name: $0.key, value: Array($0.value.utf8)) })
  }

  @Test func retriesWhoseTimeHasNotComeAreTold() {
    var tally = BacklogTally(now: Self.now)
    tally.add(Kafka.TopicPartition(topic: "retry", partition: 0), .retries, 0..<3)
    for (offset, seconds) in [(0, -5), (1, 5), (2, 60)] as [(Int64, Double)] {
      tally.note(record("retry", offset, [HeaderName.notBefore: Timestamp.rfc3339(Self.now.addingTimeInterval(seconds))]))
    }
    #expect(tally.result.retries.records == 3 && tally.result.retriesNotDue == 2 && tally.result.lag == .none)
  }

  private static func settles(_ offset: String) -> [String: String] {
    [HeaderName.settled: offset, HeaderName.settledAction: Settlement.Action.replayed.rawValue]
  }

  @Test func settledLettersAreNotCounted() {
    let dead = Kafka.TopicPartition(topic: "dead", partition: 0)
    var tally = BacklogTally(now: Self.now)
    tally.add(dead, .deadLetters, 0..<6)
    let failed = [HeaderName.failedAt: "t"]
    tally.note(record("dead", 0, failed))
    tally.note(record("dead", 1, failed))
    // A letter whose own message was a tombstone with a stranger's header.
    tally.note(record("dead", 2, value: nil, failed.merging(Self.settles("1")) { $1 }))
    for _ in 0..<2 { tally.note(record("dead", 3, value: nil, Self.settles("0"))) }
    tally.note(record("dead", 4, value: nil, Self.settles("0")))
    tally.note(record("dead", 5, value: nil, Self.settles("3")))
    #expect(tally.isFinished && tally.result.deadLetters == RecordCount(records: 2, isExact: true))
  }
}
