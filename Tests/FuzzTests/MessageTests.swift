import Foundation
import JSON
import Monitoring
import TestSupport
import Testing

@testable import Messages
@testable import Pipeline

@Suite("Fuzz: messages", .timeLimit(.minutes(60)))
struct MessageFuzzTests {
  /// Reads, writes and reads again.
  private func roundTrip<Message: Payload & Equatable>(
    _ one: inout FuzzCase, _ bytes: [UInt8], _ read: ([UInt8]) throws -> Message
  ) throws {
    let message: Message
    do { message = try read(one.given(bytes)) } catch let error as PayloadError {
      try claimSentence(error.message, limit: 2000)
      return try claim(harmfulScalar(in: error.message) == nil, "a control character in: \(error.message)")
    }
    let written = message.bytes
    // Times are written in whole milliseconds, so it is the second reading that has to be equal.
    let again: Message
    do { again = try read(written) } catch { throw Broken(description: "accepted, but not when written again: \(error)") }
    try claim(
      again.bytes == written, "written \(String(decoding: written, as: UTF8.self)), then \(String(decoding: again.bytes, as: UTF8.self))")
    let once = try read(again.bytes)
    try claim(once == again && once.key.utf8.elementsEqual(again.key.utf8) && once.place == again.place, "not equal: \(again)")
    let envelope = Envelope(
      answering: ReceivedMessage(source: TopicPartition(topic: "t", partition: 0), offset: 1, key: nil, value: bytes),
      place: message.place, stage: .channels, at: Date(timeIntervalSince1970: 0), using: &one.random)
    try claim(envelope.seal(message).value == written, "sealed otherwise")
  }

  private func parsed<Message>(_ read: @escaping (JSONValue) throws(PayloadError) -> Message) -> ([UInt8]) throws -> Message {
    { bytes in
      let document: JSONDocument
      do throws(JSONError) { document = try JSONDocument.parse(bytes) } catch {
        throw PayloadError(.invalidJSON, "No JSON: \(error.reason)")
      }
      return try read(document.root)
    }
  }

  @Test func channelRequestsAreReadBackOrRefused() {
    Fuzz.run { one in
      let bytes: [UInt8] =
        switch one.random.below(4) {
        case 0: one.random.bytes()
        case 1: Array(one.random.text().utf8)
        default: one.random.mutated(Sample.channelRequest(&one.random))
        }
      try self.roundTrip(&one, bytes) { try ChannelRequest(value: $0) }
      _ = UnusableRequest(bytes).requestID
    }
  }

  @Test func searchRequestsAreReadBackOrRefused() {
    Fuzz.run { one in
      let bytes: [UInt8] =
        switch one.random.below(4) {
        case 0: one.random.bytes()
        case 1: Array(one.random.text().utf8)
        default: one.random.mutated(Sample.searchRequest(&one.random))
        }
      try self.roundTrip(&one, bytes) { try SearchRequest(value: $0) }
      guard let request = try? SearchRequest(value: bytes) else { return }
      // What is accepted can be asked for, and whatever it finds makes requests that are accepted.
      try claim(request.problem() == nil && !request.key.isEmpty && !request.kinds.isEmpty, "\(request)")
      let id = SearchRequest.requestID(of: Sample.id(&one.random), in: request.requestID ?? one.random.text())
      let derived = ChannelRequest(requestID: id, target: .id("UCK8sQmJBp8GCxrOtXWBpyEA"), options: request.options)
      try claim(try ChannelRequest(value: derived.bytes).requestID == id, "not usable: \(id)")
    }
  }

  @Test func searchContinuationsAreReadBackOrRefused() {
    Fuzz.run { one in
      let bytes = one.random.mutated(Sample.searchContinuation(&one.random))
      try self.roundTrip(&one, bytes, self.parsed { json throws(PayloadError) in try SearchContinuation(json: json) })
    }
  }

  @Test func channelDetailsAreReadBackOrRefused() {
    Fuzz.run { one in
      let bytes = one.random.mutated(Sample.channelDetails(&one.random))
      try self.roundTrip(&one, bytes, self.parsed { json throws(PayloadError) in try ChannelDetails(json: json) })
    }
  }

  @Test func playlistRequestsAreReadBackOrRefused() {
    Fuzz.run { one in
      let bytes = one.random.mutated(Sample.playlistRequest(&one.random))
      try self.roundTrip(&one, bytes, self.parsed { json throws(PayloadError) in try PlaylistRequest(json: json) })
    }
  }

  @Test func playlistPagesAreReadBackOrRefused() {
    Fuzz.run { one in
      let bytes = one.random.mutated(Sample.playlistPage(&one.random))
      try self.roundTrip(&one, bytes, self.parsed { json throws(PayloadError) in try PlaylistPage(json: json) })
    }
  }

  @Test func controlsAndEventsAreReadBackOrRefused() {
    Fuzz.run { one in
      let control = one.random.mutated(Sample.requestControl(&one.random))
      try self.roundTrip(&one, control, self.parsed { json throws(PayloadError) in try RequestControl(json: json) })
      let event = one.random.mutated(Sample.requestEvent(&one.random))
      try self.roundTrip(&one, event, self.parsed { json throws(PayloadError) in try RequestEvent(json: json) })
    }
  }
}
