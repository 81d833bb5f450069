import FoundationEssentials
import Messages
import Testing

@testable import Pipeline

@Suite("DeadLetter", .timeLimit(.minutes(1)))
struct DeadLetterTests {
  private let source = TopicPartition(topic: "channel-requests", partition: 3)

  private func message(_ headers: [MessageHeader] = [], topic: String? = nil) -> ReceivedMessage {
    let source = topic.map { TopicPartition(topic: $0, partition: 3) } ?? source
    return ReceivedMessage(source: source, offset: 42, key: Array("k".utf8), value: [0xFF, 0x00, 0x7B], headers: headers)
  }

  @Test func aLetterKeepsKeyBytesAndHeadersAndSaysWhy() {
    let foreign = [
      MessageHeader("x-null", nil), MessageHeader("x-empty", ""), MessageHeader("x-empty", "twice"), MessageHeader("ce_id", "in/1"),
    ]
    let letter = DeadLetter.letter(
      message(foreign + [MessageHeader("tubeline-not-before", "2026-01-01T00:00:00Z")]), stage: .channels, attempt: 1,
      because: Rejection(.invalidJSON, "no JSON"), at: "2026-11-30T00:00:00.000Z")
    #expect(letter.topic == .dead(.channels))
    #expect(letter.key == Array("k".utf8))
    #expect(letter.value == [0xFF, 0x00, 0x7B])
    #expect(Array(letter.headers.prefix(4)) == foreign)
    #expect(letter.headers["tubeline-stage"] == "channels")
    #expect(letter.headers["tubeline-attempt"] == "1")
    #expect(letter.headers["tubeline-error-code"] == "invalidJSON")
    #expect(letter.headers["tubeline-error-message"] == "no JSON")
    #expect(letter.headers["tubeline-failed-at"] == "2026-11-30T00:00:00.000Z")
    #expect(letter.headers["tubeline-origin-topic"] == "channel-requests")
    #expect(letter.headers["tubeline-origin-partition"] == "3")
    #expect(letter.headers["tubeline-origin-offset"] == "42")
    #expect(letter.headers["tubeline-not-before"] == nil)
  }

  @Test(arguments: [
    [MessageHeader("tubeline-origin-topic", "channel-requests")],
    [
      MessageHeader("tubeline-origin-topic", String(repeating: "x", count: 1000)), MessageHeader("tubeline-origin-partition", "0"),
      MessageHeader("tubeline-origin-offset", "1"),
    ],
  ])
  func aRetriedMessageThatTellsNoPlaceKeepsItsOwn(headers: [MessageHeader]) {
    let half = message(headers, topic: "channels-retry")
    let again = DeadLetter.retry(
      half, stage: .channels, attempt: 1, notBefore: "2026-11-30T00:00:05.000Z", because: Rejection(.attemptsExhausted, "503"))
    #expect(message(again.headers, topic: "channels-retry").origin == half.origin)
  }

  @Test func aRetriedMessageKeepsItsFirstOriginAndHasEachHeaderOnce() {
    let why = Rejection(.attemptsExhausted, "503")
    let first = DeadLetter.retry(message(), stage: .channels, attempt: 1, notBefore: "2026-11-30T00:00:05.000Z", because: why)
    let again = ReceivedMessage(
      source: TopicPartition(topic: "channels-retry", partition: 0), offset: 7, key: first.key, value: first.value, headers: first.headers)
    #expect(RetryHeaders.failures(again) == 1)
    #expect(RetryHeaders.notBefore(again) == Date(timeIntervalSince1970: 1_795_996_805))
    #expect(again.origin == message().origin)
    let second = DeadLetter.retry(again, stage: .channels, attempt: 2, notBefore: "2026-11-30T00:00:15.000Z", because: why)
    #expect(second.topic == .retry(.channels))
    #expect(second.headers["tubeline-origin-topic"] == "channel-requests")
    #expect(second.headers["tubeline-origin-offset"] == "42")
    #expect(second.headers["tubeline-attempt"] == "2")
    #expect(Set(second.headers.map(\.name)).count == second.headers.count)
  }

  @Test func aTombstoneStaysOne() {
    let tombstone = ReceivedMessage(source: source, offset: 0, key: nil, value: nil)
    let letter = DeadLetter.letter(tombstone, stage: .videos, attempt: 1, because: Rejection(.tombstone, "null"), at: "")
    #expect(letter.key == nil && letter.value == nil)
  }

  @Test func longErrorsAreCut() {
    let letter = DeadLetter.letter(
      message(), stage: .videos, attempt: 1, because: Rejection(.invalidMessage, String(repeating: "e", count: 100_000)), at: "")
    #expect(letter.headers["tubeline-error-message"]?.count == 1000)
  }

  @Test(arguments: [("x", 0), ("-4", 0), ("3", 3), ("99999999999999999999", 0), ("1000000", 1000), ("", 0)])
  func oddAttemptHeadersCountAsNone(text: String, failures: Int) {
    #expect(RetryHeaders.failures(message([MessageHeader("tubeline-attempt", text)], topic: "channels-retry")) == failures)
    #expect(RetryHeaders.failures(message([MessageHeader("tubeline-attempt", nil)], topic: "channels-retry")) == 0)
  }

  @Test func retryHeadersOfStrangersDoNotCount() {
    let spoofed = message([
      MessageHeader("tubeline-attempt", "5"), MessageHeader("tubeline-not-before", "2099-01-01T00:00:00Z"),
      MessageHeader("tubeline-origin-topic", "elsewhere"), MessageHeader("tubeline-origin-partition", "9"),
      MessageHeader("tubeline-origin-offset", "9"),
    ])
    #expect(RetryHeaders.failures(spoofed) == 0)
    #expect(RetryHeaders.notBefore(spoofed) == nil)
    #expect(spoofed.origin == "channel-requests-3-42")
    let letter = DeadLetter.letter(spoofed, stage: .channels, attempt: 1, because: Rejection(.invalidJSON, "no JSON"), at: "")
    #expect(letter.headers["tubeline-origin-topic"] == "channel-requests")
    #expect(letter.headers["tubeline-origin-offset"] == "42")
  }
}
