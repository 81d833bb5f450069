import Kafka
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct CatalogInputTests {
  private static let now = Int(StoreScene.today.timeIntervalSince1970 * 1000)

  private static func input(
    _ content: CatalogTopics.Content, key: String? = nil, _ value: [UInt8]?, timestamp: Int? = nil
  ) throws -> CatalogInput? {
    try CatalogInput(
      ConsumedRecord(
        topic: "a", partition: 0, offset: 7, timestamp: timestamp.map { Int64($0) }, key: key.map { Array($0.utf8) }, value: value),
      content, now: now)
  }

  @Test(arguments: [nil, "", "other"] as [String?])
  func aRecordUnderAnotherKeyIsLeftOut(_ key: String?) {
    #expect(throws: UnreadableRecord.self) { try Self.input(.videos, key: key, Sample.videoBytes("a")) }
    #expect(throws: UnreadableRecord.self) { try Self.input(.channels, key: key, Sample.channelBytes("UCa")) }
  }

  @Test(arguments: [
    ("2026-11-30T10:00:00Z", now, -7_200_000), ("2027-11-30T10:00:00Z", now - 5000, -5000), ("2027-11-30T10:00:00Z", now + 5000, 0),
  ])
  func noRecordIsOfATimeToCome(_ fetched: String, _ timestamp: Int, _ age: Int) throws {
    guard case .video(let video) = try Self.input(.videos, key: "a", Sample.videoBytes("a", fetched: fetched), timestamp: timestamp),
      case .channel(let channel) = try Self.input(.channels, key: "UCa", Sample.channelBytes("UCa", fetched: fetched), timestamp: timestamp)
    else {
      Issue.record("not read")
      return
    }
    #expect(video.fetched == Self.now + age && channel.fetched == Self.now + age)
  }

  @Test func aKeyWithOtherBytesIsAnotherKey() throws {
    #expect(throws: UnreadableRecord.self) { try Self.input(.videos, key: "caf\u{E9}", Sample.videoBytes("cafe\u{301}")) }
    #expect(try Self.input(.videos, key: "caf\u{E9}", Sample.videoBytes("caf\u{E9}")) != nil)
  }

  @Test func noRequestIsOfATimeToCome() throws {
    let late = Self.now + 86_400_000
    let event = Array(#"{"requestId":"s","type":"resolved","stage":"search","at":"9999-12-31T23:59:59Z"}"#.utf8)
    guard case .request(let search) = try Self.input(.searchRequests, Array("swift".utf8), timestamp: late),
      case .request(let channel) = try Self.input(.channelRequests, Array("@a".utf8), timestamp: late),
      case .event(let told) = try Self.input(.events, event, timestamp: late)
    else {
      Issue.record("not read")
      return
    }
    #expect([search.begun, channel.begun, told.at] == [Self.now, Self.now, Self.now])
  }

  @Test(arguments: [
    ("\u{FEFF}{\"requestId\":\"s\",\"query\":\"swift\"}", "s", "swift"), ("{\"query\":\" swift \"}", "a-0-7", "swift"),
    ("\u{FEFF}swift", "a-0-7", "swift"),
    ("{\"requestId\":\"s\",\"channelId\":\"UCK8sQmJBp8GCxrOtXWBpyEA\",\"type\":[\"video\"]}", "s", "UCK8sQmJBp8GCxrOtXWBpyEA"),
  ])
  func aSearchIsReadAsTheStageReadsIt(_ value: String, _ id: String, _ reference: String) throws {
    guard case .request(let request) = try Self.input(.searchRequests, Array(value.utf8)) else {
      Issue.record("not read")
      return
    }
    #expect(request.id == id && request.reference == reference && request.kind == .search)
  }

  @Test(arguments: ["{", "{\"requestId\":\"s\",\"query\":7}", "{\"requestId\":\"s\"}", " "])
  func aSearchThatTheStageRejectsIsNoRequest(_ value: String) throws {
    #expect(try Self.input(.searchRequests, Array(value.utf8)) == nil)
  }
}
