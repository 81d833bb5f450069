import FoundationEssentials
import Telemetry
import Testing

@testable import Messages

@Suite("Envelope and topics", .timeLimit(.minutes(1)))
struct EnvelopeTests {
  static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  private func seal(
    _ headers: [MessageHeader] = [], topic: String = "channel-requests", offset: Int64 = 5, place: String? = nil
  ) -> [OutgoingMessage] {
    let message = ReceivedMessage(
      source: TopicPartition(topic: topic, partition: 1), offset: offset, key: nil, value: nil, headers: headers)
    var random = RandomSource()
    let time = Date(timeIntervalSince1970: 0)
    let envelope = Envelope(answering: message, place: place, stage: .channels, at: time, using: &random)
    let event = RequestEvent(requestID: "r", kind: .resolved, stage: .channels, at: "t")
    return [envelope.seal(event), envelope.seal(event, at: "page/1/2")]
  }

  @Test func headersAreCloudEventsInBinaryMode() {
    let sealed = seal()
    let headers = sealed[0].headers
    #expect(headers["ce_specversion"] == "1.0")
    #expect(headers["ce_id"] == "channel-requests-1-5/resolved/event")
    #expect(sealed[1].headers["ce_id"] == "channel-requests-1-5/page/1/2")
    #expect(headers["ce_source"] == "tubeline/channels")
    #expect(headers["ce_type"] == "tubeline.request-event.v1")
    #expect(headers["ce_time"] == "1970-01-01T00:00:00.000Z")
    #expect(headers["content-type"] == "application/json")
    #expect(sealed[0].topic == .requestEvents && sealed[0].key == Array("r".utf8))
  }

  @Test func theIDIsTheSameAfterARedeliveryAndAfterARetry() {
    let origin = [
      MessageHeader("tubeline-origin-topic", "channel-requests"), MessageHeader("tubeline-origin-partition", "1"),
      MessageHeader("tubeline-origin-offset", "5"), MessageHeader("tubeline-attempt", "3"),
    ]
    let ids = [seal(), seal(), seal(origin, topic: "channels-retry", offset: 99)].map { $0.map { $0.headers["ce_id"] } }
    #expect(Set(ids).count == 1)
  }

  @Test func aStepDoneTwiceMakesTheSameIDs() {
    let own = [MessageHeader("ce_source", "tubeline/playlists"), MessageHeader("ce_id", "channel-requests-1-5/list/7")]
    let first = seal(own, topic: "playlist-requests", offset: 30, place: "list/7")
    let second = seal(own, topic: "playlist-requests", offset: 31, place: "list/7")
    #expect(first[1].headers["ce_id"] == "channel-requests-1-5/page/1/2")
    #expect(first.map { $0.headers["ce_id"] } == second.map { $0.headers["ce_id"] })
  }

  @Test func aStrangersIDIsNotHandedOn() {
    let foreign = [MessageHeader("ce_source", "elsewhere"), MessageHeader("ce_id", "mine")]
    #expect(seal(foreign)[0].headers["ce_id"] == "channel-requests-1-5/resolved/event")
  }

  @Test func aRequestThatWasCopiedWithItsHeadersIsAnotherOne() {
    let copied = [MessageHeader("ce_source", "tubeline/cli"), MessageHeader("ce_id", "r-1")]
    #expect(seal(copied, offset: 5)[0].headers["ce_id"] == "channel-requests-1-5/resolved/event")
    #expect(seal(copied, offset: 6)[0].headers["ce_id"] == "channel-requests-1-6/resolved/event")
  }

  @Test func theTraceGoesOnAndANewOneBeginsWhereNoneCame() throws {
    let continued = try #require(seal([MessageHeader("traceparent", Self.parent)])[0].headers["traceparent"])
    #expect(continued.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-"))
    #expect(continued != Self.parent)
    let fresh = try #require(seal([MessageHeader("traceparent", "nonsense")])[0].headers["traceparent"])
    #expect(fresh.utf8.count == 55 && !fresh.contains("nonsense"))
  }

  @Test func foreignHeadersAreKeptAndOwnOnesWrittenAnew() {
    let foreign = [
      MessageHeader("x-null", nil), MessageHeader("x-empty", ""), MessageHeader("x-bytes", [0xFF]), MessageHeader("x-empty", "again"),
    ]
    let stale = [
      MessageHeader("ce_id", "old"), MessageHeader("tubeline-attempt", "4"), MessageHeader("content-type", "text/plain"),
      MessageHeader("tubeline-error-code", "x"), MessageHeader("traceparent", Self.parent),
    ]
    let headers = seal(stale + foreign)[0].headers
    #expect(Array(headers.prefix(4)) == foreign)
    let own = ["ce_id", "ce_source", "ce_specversion", "ce_time", "ce_type", "content-type", "traceparent", "tubeline-requested-at"]
    #expect(headers.dropFirst(4).map(\.name).sorted() == own)
  }

  @Test func headersReadTheLastOfTheirName() {
    var headers = [MessageHeader("a", "1"), MessageHeader("a", "2"), MessageHeader("b", nil), MessageHeader("c", [0xFF])]
    #expect(headers["a"] == "2" && headers["b"] == nil && headers["c"] == nil)
    headers.set("a", "3")
    #expect(headers.count { $0.name == "a" } == 1)
  }

  @Test(arguments: [
    ("channel-details", nil, true), ("p.channel-details", nil, true), ("playlists-retry", "p.channel-details", true),
    ("playlists-retry", "p.playlist-requests", false), ("playlist-requests", nil, false),
  ])
  func theOriginTellsTheTopic(topic: String, origin: String?, isDetails: Bool) {
    let headers = origin.map { [MessageHeader("tubeline-origin-topic", $0)] } ?? []
    let message = ReceivedMessage(source: TopicPartition(topic: topic, partition: 0), offset: 0, key: nil, value: nil, headers: headers)
    #expect(message.cameFrom(.channelDetails) == isDetails)
  }

  @Test func theTableHoldsEveryTopicOnceAndNothingOlderThanAllowed() {
    let names = Topic.all.map(\.topic.name)
    #expect(Set(names).count == names.count)
    for name in ["search", "channels", "playlists"] { #expect(names.contains("\(name)-retry")) }
    for name in ["search", "channels", "playlists", "videos"] { #expect(names.contains("\(name)-dead")) }
    #expect(!names.contains("videos-retry"))
    #expect(Topic.all.allSatisfy { $0.retentionDays <= 29 })
    #expect(Topic.all.filter(\.compacted).map(\.topic) == [.channelDetails, .videoRecords, .requestControl, .workerStatus])
    let records = Topic.all.first { $0.topic == .videoRecords }
    #expect(records?.configuration == ["cleanup.policy": "compact,delete", "retention.ms": "2505600000"])
  }
}
