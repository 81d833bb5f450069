import Foundation
import Monitoring
import TestSupport
import Testing

@testable import Messages
@testable import Pipeline
@testable import Telemetry

@Suite("Fuzz: headers and times", .timeLimit(.minutes(60)))
struct HeaderFuzzTests {
  private static let names = [
    HeaderName.id, HeaderName.source, HeaderName.type, HeaderName.time, HeaderName.traceparent, HeaderName.stage, HeaderName.attempt,
    HeaderName.notBefore, HeaderName.errorCode, HeaderName.errorMessage, HeaderName.originTopic, HeaderName.originPartition,
    HeaderName.originOffset, HeaderName.failedAt, HeaderName.settled, HeaderName.settledAction, HeaderName.settledAt,
    HeaderName.firstOrigin, HeaderName.replayOf, "content-type", "x",
  ]

  static func traceparent(_ random: inout Mutator) -> String {
    let usual = random.pick([
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-what",
      "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    ])
    return random.chance(50) ? usual : String(decoding: random.mutated(Array(usual.utf8)), as: UTF8.self)
  }

  static func value(_ name: String, _ random: inout Mutator) -> [UInt8]? {
    if random.chance(10) { return nil }
    if random.chance(25) { return random.bytes() }
    let text: String =
      switch name {
      case HeaderName.traceparent: traceparent(&random)
      case HeaderName.source: random.pick(["tubeline/channels", "tubeline/", "other"])
      case HeaderName.notBefore, HeaderName.failedAt, HeaderName.time, HeaderName.settledAt: Sample.time(&random)
      case HeaderName.firstOrigin: random.pick(["channel-requests-0-7", "a-0-0", "a-1", "a--1-2", "a-2147483648-1", "a-+1-+1"])
      case HeaderName.settledAction: random.pick(["replayed", "discarded", "?"])
      case HeaderName.originTopic: random.pick(["channel-requests", "p.channel-details"])
      case HeaderName.id: random.pick(["t-0-1/page/3", "x", "/"])
      default: "\(random.number())"
      }
    return Array(text.utf8)
  }

  static func message(_ random: inout Mutator) -> ReceivedMessage {
    let topic = random.pick(["channel-requests", "p.channels-retry", "videos-dead", "channel-details", "x-retry"])
    let headers = (0..<random.below(8)).map { _ -> MessageHeader in
      let name = random.chance(90) ? random.pick(names) : random.text()
      return MessageHeader(name, value(name, &random))
    }
    return ReceivedMessage(
      source: TopicPartition(topic: topic, partition: Int32(random.below(9))), offset: Int64(abs(random.below(1 << 40))),
      key: random.chance(50) ? random.bytes() : nil, value: random.chance(60) ? random.bytes() : nil, headers: headers)
  }

  @Test func headersOfAnyKindLeadToWellFormedOnes() {
    Fuzz.run { one in
      let message = Self.message(&one.random)
      _ = one.given("\(message)")
      let failures = RetryHeaders.failures(message)
      try claim((0...1000).contains(failures), "\(failures) failures")
      _ = RetryHeaders.notBefore(message)
      let event = RequestEvent(requestID: message.origin, kind: .failed, stage: .channels, at: "")
      let place = one.random.pick([nil, "page/3", "list/1", ""])
      let envelope = Envelope(answering: message, place: place, stage: .channels, at: Date(), using: &one.random)
      let sealed = envelope.seal(event)
      for name in [HeaderName.id, HeaderName.source, HeaderName.type, HeaderName.time, HeaderName.traceparent, "content-type"] {
        try claim(sealed.headers.filter { $0.name == name }.count == 1, "\(name) is there not once")
      }
      try claim(sealed.headers[HeaderName.traceparent].flatMap(TraceContext.init(traceparent:)) != nil, "no trace")
      try claim(sealed.headers[HeaderName.time].flatMap(Timestamp.parse) != nil, "no time")
      let first = ReceivedMessage(source: message.source, offset: message.offset, key: nil, value: nil, headers: sealed.headers)
      try claim(first.ownID == sealed.headers[HeaderName.id] && first.ownID?.hasSuffix("/failed/event") == true, "no id of ours")
      // What follows from a message that is handled again has the same id again.
      let again = Envelope(answering: message, place: place, stage: .channels, at: Date(), using: &one.random)
      try claim(again.seal(event).headers[HeaderName.id] == first.ownID, "another id")
    }
  }

  @Test func retriedAndDeadMessagesKeepTheirPlaceAndTellWhy() {
    Fuzz.run { one in
      let message = Self.message(&one.random)
      _ = one.given("\(message)")
      let why = Rejection(.attemptsExhausted, one.random.text())
      let retry = DeadLetter.retry(message, stage: .channels, attempt: 3, notBefore: "2026-01-01T00:00:00.000Z", because: why)
      let second = ReceivedMessage(
        source: TopicPartition(topic: "p.channels-retry", partition: 1), offset: 9, key: retry.key, value: retry.value,
        headers: retry.headers)
      try claim(RetryHeaders.failures(second) == 3 && RetryHeaders.notBefore(second) != nil, "attempt or time is lost")
      try claim(second.origin == message.origin, "\(message.origin) became \(second.origin)")
      let letter = DeadLetter.letter(second, stage: .channels, attempt: 4, because: why, at: "2026-01-01T00:00:00.000Z")
      let dead = ReceivedMessage(
        source: TopicPartition(topic: "channels-dead", partition: 0), offset: 5, key: letter.key, value: letter.value,
        headers: letter.headers)
      try claim(Settlement(dead) == nil, "a letter is taken for a settlement")
      try claim(dead.headers[HeaderName.errorCode] == "attemptsExhausted" && dead.headers[HeaderName.notBefore] == nil, "\(dead.headers)")
      try claim(dead.key == message.key && dead.value == message.value, "other bytes")
    }
  }

  @Test func settlementsReadBackEqual() {
    Fuzz.run { one in
      let message = Self.message(&one.random)
      if let settlement = Settlement(message) { try claim(settlement.offset < message.offset && settlement.offset >= 0, "\(settlement)") }
      let offset = Int64(one.random.below(1 << 40))
      let settlement = Settlement(offset: offset, action: one.random.pick(Settlement.Action.allCases), time: one.random.text())
      let record = ReceivedMessage(
        source: message.source, offset: offset + 1 + Int64(one.random.below(9)), key: nil, value: nil, headers: settlement.headers)
      try claim(Settlement(record) == settlement, "\(settlement)")
    }
  }

  @Test func tracesReadBackEqualOrAreRefused() {
    Fuzz.run { one in
      let text = one.given(one.random.chance(10) ? one.random.text() : Self.traceparent(&one.random))
      guard let trace = TraceContext(traceparent: text) else { return }
      try claim(TraceContext(traceparent: trace.traceparent) == trace, "\(trace.traceparent)")
      try claim(
        trace.traceparent.utf8.count == 55 && text.utf8.dropFirst(2).starts(with: trace.traceparent.utf8.dropFirst(2).prefix(50)),
        "other ids")
      let child = trace.child(using: &one.random)
      try claim(
        child.traceID == trace.traceID && child.spanID != trace.spanID && TraceContext(traceparent: child.traceparent) == child, "\(child)")
    }
  }

  @Test func timesReadBackEqual() {
    Fuzz.run { one in
      let exact = Double(one.random.below(315_537_897_599_999)) - 62_135_596_800_000
      let date = Date(timeIntervalSince1970: exact / 1000)
      let text = one.given(Timestamp.rfc3339(date))
      guard let again = Timestamp.parse(text) else { throw Broken(description: "refused") }
      try claim(abs(again.timeIntervalSince(date)) < 0.0005 && Timestamp.rfc3339(again) == text, "read \(Timestamp.rfc3339(again))")
      let any = Date(timeIntervalSince1970: Double(bitPattern: one.random.next()))
      try claim(Timestamp.parse(Timestamp.rfc3339(any)) != nil, "\(Timestamp.rfc3339(any)) is no time")
    }
  }

  @Test func timesOfAnyFormAreTheSameMomentOrRefused() {
    Fuzz.run { one in
      let usual = Sample.time(&one.random)
      let text = one.given(one.random.chance(50) ? usual : String(decoding: one.random.mutated(Array(usual.utf8)), as: UTF8.self))
      guard let date = Timestamp.parse(text) else { return }
      let written = Timestamp.rfc3339(date)
      guard let again = Timestamp.parse(written) else { throw Broken(description: "\(written) is refused") }
      try claim(abs(again.timeIntervalSince(date)) < 0.001, "\(written) is another moment")
    }
  }

  @Test func logLinesAreOneLineWithoutControlCharacters() {
    Fuzz.run { one in
      let metadata: [(key: String, value: LogValue)] = (0..<one.random.below(4)).map { _ in
        let value: LogValue = one.random.chance(70) ? .string(one.random.text()) : .double(Double(bitPattern: one.random.next()))
        return (one.random.text(), value)
      }
      _ = one.given("\(metadata)")
      for format in LogFormat.allCases {
        let line = format.line(LogEntry(time: Date(), level: .info, label: "fuzz", message: "A message", metadata: metadata))
        let bad = line.dropLast().unicodeScalars.first { $0.properties.generalCategory == .control }
        try claim(line.hasSuffix("\n") && bad == nil, "\(format): \(line.debugDescription)")
      }
    }
  }
}
