import Messages
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SettlementTests {
  private func record(_ headers: [MessageHeader], value: [UInt8]? = nil, offset: Int64 = 10) -> ReceivedMessage {
    ReceivedMessage(source: TopicPartition(topic: "videos-dead", partition: 0), offset: offset, key: nil, value: value, headers: headers)
  }

  private let settlement = Settlement(offset: 7, action: .replayed, time: "2026-11-30T00:00:00Z")

  @Test func aSettlementIsReadAsItWasWritten() {
    #expect(Settlement(record(settlement.headers)) == settlement)
  }

  @Test func aLetterIsNoSettlementWhateverItsHeadersSay() {
    #expect(Settlement(record(settlement.headers, value: [])) == nil)
    #expect(Settlement(record(settlement.headers + [MessageHeader(HeaderName.failedAt, "2026")])) == nil)
    #expect(Settlement(record(settlement.headers, offset: 7)) == nil, "it lies behind its letter")
    #expect(Settlement(record([MessageHeader(HeaderName.settled, "-1"), MessageHeader(HeaderName.settledAction, "replayed")])) == nil)
    #expect(Settlement(record([MessageHeader(HeaderName.settled, "7"), MessageHeader(HeaderName.settledAction, "burnt")])) == nil)
    #expect(Settlement(record([])) == nil)
  }

  @Test(arguments: [
    ("channel-requests-0-7", "channel-requests-0-7"), ("x.channel-requests-12-70", "x.channel-requests-12-70"), ("r-1", nil),
    ("channel-requests-0-", nil), ("channel-requests-a-1", nil), ("", nil), (String(repeating: "x", count: 300) + "-0-1", nil),
  ])
  func aReplayedRequestKeepsItsPlaceAsItsID(first: String, origin: String?) {
    let headers = [MessageHeader(HeaderName.firstOrigin, first), MessageHeader(HeaderName.replayOf, "channels-dead-0-1")]
    let replayed = ReceivedMessage(
      source: TopicPartition(topic: "channel-requests", partition: 1), offset: 90, key: nil, value: nil, headers: headers)
    #expect(replayed.origin == origin ?? "channel-requests-1-90")
    let retried = ReceivedMessage(
      source: TopicPartition(topic: "channels-retry", partition: 1), offset: 2, key: nil, value: nil,
      headers: headers + [
        MessageHeader(HeaderName.originTopic, "channel-requests"), MessageHeader(HeaderName.originPartition, "1"),
        MessageHeader(HeaderName.originOffset, "90"),
      ])
    #expect(retried.origin == origin ?? "channel-requests-1-90", "also when it fails again")
  }
}
