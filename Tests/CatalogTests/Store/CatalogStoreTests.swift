import Foundation
import JSON
import SQLite
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct CatalogStoreTests {
  @Test func aNewerRecordReplacesAnOlderOne() async throws {
    try await StoreScene.with { store, _ in
      try await store.put(try Sample.video("a", title: "Before", fetched: "2026-11-29T10:00:00Z"))
      try await store.put(try Sample.video("a", title: "After", fetched: "2026-11-29T10:00:01Z"))
      #expect(try await store.record(of: "a") == Sample.videoBytes("a", title: "After", fetched: "2026-11-29T10:00:01Z"))
      #expect(try await store.found("after") == ["a"])
      #expect(try await store.found("before") == [])
    }
  }

  @Test func anOlderRecordChangesNothing() async throws {
    try await StoreScene.with { store, _ in
      try await store.put(try Sample.video("a", title: "After", fetched: "2026-11-29T10:00:00.5Z"))
      try await store.put(try Sample.video("a", title: "Before", fetched: "2026-11-29T10:00:00.4Z"))
      #expect(try await store.record(of: "a") == Sample.videoBytes("a", title: "After", fetched: "2026-11-29T10:00:00.5Z"))
      #expect(try await store.found("before") == [])
    }
  }

  @Test func recordsOfTheSameTimeFollowTheTopic() async throws {
    try await StoreScene.with { store, _ in
      try await store.put(try Sample.video("a", title: "First"), try Sample.video("a", title: "Second"))
      #expect(try await store.record(of: "a") == Sample.videoBytes("a", title: "Second"))
    }
  }

  @Test func aTombstoneRemovesTheVideoAndItsWordsAndLeavesTheLike() async throws {
    try await StoreScene.with { store, _ in
      try await store.put(try Sample.video("a", title: "Gone"), try Sample.video("b"))
      #expect(try await store.write { try $0.setLike("a", true) } == .some(.some(store.now)))
      try await store.write { try $0.remove(video: "a") }
      #expect(try await store.record(of: "a") == nil)
      #expect(try await store.found("gone") == [])
      #expect(try await store.read { try $0.channel("UCone")?.videos } == 1)
      #expect(try await store.read { try $0.channel("UCone")?.liked } == 0)
      try await store.put(try Sample.video("a", title: "Back"))
      #expect(try await store.read { try $0.video("a")?.liked } == store.now)
      #expect(try await store.list(VideoSelection(filter: .liked)) == ["a"])
    }
  }

  @Test func aLikeOfAnUnknownVideoIsRefusedAndOneOfAGoneVideoCanBeTakenBack() async throws {
    try await StoreScene.with { store, _ in
      #expect(try await store.write { try $0.setLike("a", true) } == nil)
      #expect(try await store.write { try $0.setLike("a", false) } == nil)
      try await store.put(try Sample.video("a"))
      _ = try await store.write { try $0.setLike("a", true) }
      try await store.write { try $0.remove(video: "a") }
      #expect(try await store.write { try $0.setLike("a", false) } == .some(nil))
      #expect(try await store.read { try $0.counter(.liked) } == 0)
    }
  }

  @Test func positionsAreStoredWithTheRowsOrNotAtAll() async throws {
    struct Interruption: Error {}
    try await StoreScene.with { store, scene in
      let video = try Sample.video("a")
      await #expect(throws: Interruption.self) {
        try await store.write { writer in
          try writer.put(video)
          try writer.store(position: 7, "c", "video-records", 0)
          throw Interruption()
        }
      }
      #expect(try await store.read { try $0.positions("c").isEmpty })
      #expect(try await store.record(of: "a") == nil)
      try await store.write { writer in
        try writer.put(video)
        try writer.store(position: 7, "c", "video-records", 0)
      }
      await store.close()
      let reopened = try await scene.open()
      #expect(try await reopened.read { try $0.positions("c").map(\.next) } == [7])
      #expect(try await reopened.read { try $0.positions("other").isEmpty })
      #expect(try await reopened.record(of: "a") != nil)
      await reopened.close()
    }
  }

  @Test func sumsOfChannelsFollowEveryChange() async throws {
    try await StoreScene.with { store, _ in
      try await store.write { try $0.put(try Sample.channel("UCone")) }
      try await store.put(try (0..<20).map { try Sample.video("v\($0)", availability: $0 < 5 ? "private" : "public") })
      try await store.put(try Sample.video("v0", channel: "UCtwo", availability: "public"), try Sample.video("v6", availability: "deleted"))
      _ = try await store.write { try $0.setLike("v0", true) }
      _ = try await store.write { try $0.setLike("v7", true) }
      try await store.write { try $0.remove(video: "v1") }
      let (one, two) = try await store.read { (try $0.channel("UCone"), try $0.channel("UCtwo")) }
      #expect([one?.videos, one?.unavailable, one?.liked] == [18, 4, 1])
      #expect([two?.videos, two?.unavailable, two?.liked] == [1, 0, 1])
      #expect(two?.record == nil)
      #expect(try await store.read { try $0.counter(.videos) } == 19)
      #expect(try await store.read { try $0.counter(.channels) } == 1)
    }
  }

  @Test func aChannelWithoutDetailsAndVideosLeaves() async throws {
    try await StoreScene.with { store, _ in
      try await store.put(try Sample.video("a"))
      try await store.write { try $0.remove(video: "a") }
      #expect(try await store.read { try $0.channel("UCone") == nil })
      try await store.write { try $0.put(try Sample.channel("UCone")) }
      try await store.write { try $0.remove(channel: "UCone") }
      #expect(try await store.read { try $0.channel("UCone") == nil })
    }
  }

  /// What comes and goes in one transaction is the same as in two.
  @Test func aChannelWhoseOnlyVideoComesAndGoesAtOnceLeaves() async throws {
    try await StoreScene.with { store, _ in
      try await store.write { writer in
        try writer.put(try Sample.video("a"))
        try writer.remove(video: "a")
        try writer.put(try Sample.video("b", channel: "UCtwo", fetched: "2026-11-30T10:00:00Z"))
        try writer.put(try Sample.video("b", channel: "UCthree", fetched: "2026-11-30T11:00:00Z"))
        try writer.put(try Sample.channel("UCfour"))
      }
      for gone in ["UCone", "UCtwo"] { #expect(try await store.read { try $0.channel(gone) == nil }, "\(gone)") }
      #expect(try await store.read { try $0.channel("UCthree")?.videos } == 1)
      #expect(try await store.read { try $0.channel("UCfour") != nil })
    }
  }

  @Test func aTextReplacesTheOneBefore() async throws {
    try await StoreScene.with { store, _ in
      try await store.put(try Sample.video("a", title: "Before"))
      try await store.put(try Sample.video("a", title: "After", fetched: "2026-11-30T11:00:00Z"))
      #expect(try await store.found("after") == ["a"])
      #expect(try await store.found("before") == [])
      try await store.write { try $0.remove(video: "a") }
      #expect(try await store.found("after") == [])
    }
  }

  @Test func aChannelThatLeavesTakesItsSumsAlong() async throws {
    try await StoreScene.with { store, _ in
      try await store.write { try $0.put(try Sample.channel("UCone")) }
      try await store.put(try Sample.video("a", availability: "private"))
      // The row of the next channel gets the number of the one before.
      try await store.write { writer in
        try writer.remove(video: "a")
        try writer.remove(channel: "UCone")
        try writer.put(try Sample.video("b", channel: "UCtwo"))
      }
      let two = try await store.read { try $0.channel("UCtwo") }
      #expect(two?.videos == 1 && two?.unavailable == 0)
    }
  }

  @Test func whatIsTooOldLeavesAndDoesNotComeBack() async throws {
    try await StoreScene.with { store, scene in
      try await store.write { writer in
        try writer.put(try Sample.channel("UCone"))
        try writer.put(try Sample.event(#"{"requestId":"r-1","type":"resolved","stage":"channels","at":"2026-11-30T10:00:00Z"}"#))
      }
      try await store.put(
        try (0..<25).map { try Sample.video("v\($0)", fetched: $0 < 15 ? "2026-11-01T13:00:00Z" : "2026-11-20T00:00:00Z") })
      _ = try await store.write { try $0.setLike("v1", true) }
      scene.advance(days: 2)
      #expect(try await store.write { try $0.removeExpired(most: 10) })
      #expect(try await store.write { try $0.removeExpired(most: 10) } == false)
      #expect(try await store.read { try $0.counter(.videos) } == 10)
      #expect(try await store.found("title").count == 10)
      try await store.put(try Sample.video("v0", fetched: "2026-11-01T13:00:00Z"))
      #expect(try await store.record(of: "v0") == nil)
      scene.advance(days: 40)
      while try await store.write({ try $0.removeExpired(most: 10) }) {}
      let counts = try await store.read { reader in
        try ["video", "video_record", "channel", "channel_record", "request", "request_event", "video_like"].map { table in
          try reader.connection.query("SELECT count(*) FROM \(table)") { $0.int(0) ?? 0 }.first
        }
      }
      #expect(counts == [0, 0, 0, 0, 0, 0, 1])
    }
  }

  @Test func whatWasFoundLeavesAtTheRetentionThoughItsRequestIsUnknown() async throws {
    func finds(_ store: CatalogStore) async throws -> [Int] {
      try await store.read { reader in
        try ["found_video", "found_channel"].map { table in
          try reader.connection.query("SELECT count(*) FROM \(table)") { $0.int(0) ?? 0 }.first ?? -1
        }
      }
    }
    try await StoreScene.with { store, scene in
      try await store.put(
        try (0..<30).map { (n: Int) in try Sample.video("v\(n)", source: "search", position: n, fetched: "2026-10-01T00:00:00Z") })
      #expect(try await finds(store) == [0, 0])
      try await store.put(try (0..<30).map { (n: Int) in try Sample.video("v\(n)", source: "search", position: n) })
      try await store.write { try $0.note(foundChannel: "UCone", in: "r-1", position: 0, at: store.now) }
      scene.advance(days: 20)
      try await store.put(try Sample.video("v0", source: "search", position: 0, fetched: "2026-12-15T00:00:00Z"))
      while try await store.write({ try $0.removeExpired(most: 10) }) {}
      #expect(try await finds(store) == [30, 1])
      scene.advance(days: 10)
      while try await store.write({ try $0.removeExpired(most: 10) }) {}
      #expect(try await finds(store) == [1, 0])
    }
  }

  @Test func anUploadThatTellsNoChannelBelongsToTheOneOfItsList() async throws {
    try await StoreScene.with { store, _ in
      let record = #"""
        {"videoId":"gone","playlistId":"UUK8sQmJBp8GCxrOtXWBpyEA","availability":"private","source":"uploads","requestId":"r",
        "fetchedAt":"2026-11-30T10:00:00Z"}
        """#
      try await store.put(try VideoEntry(Array(record.utf8), offset: 0, timestamp: nil))
      let channel = try await store.read { try $0.channel("UCK8sQmJBp8GCxrOtXWBpyEA") }
      #expect(channel?.videos == 1 && channel?.unavailable == 1)
      #expect(try await store.list(VideoSelection(channel: channel?.n, filter: .unavailable)) == ["gone"])
    }
  }

  @Test(arguments: ["1e400", "123456789012345678901234567890"]) func aNumberThatDoesNotFitHidesNoRecord(number: String) throws {
    let text = #"{"price":\#(number),"videoId":"a","fetchedAt":"2026-01-01T00:00:00Z","durationSeconds":\#(number)}"#
    let entry = try VideoEntry(Array(text.utf8), offset: 0, timestamp: nil)
    #expect(entry.videoID == "a" && entry.duration == VideoSelection.unknown)
    #expect(String(decoding: entry.record, as: UTF8.self) == text, "kept as it came")
  }

  @Test(arguments: [
    "", "{", "[]", #"{"videoId":""}"#, #"{"videoId":"a"}"#, #"{"videoId":7,"fetchedAt":"2026-01-01T00:00:00Z"}"#,
    #"{"videoId":"a","fetchedAt":"yesterday"}"#,
  ])
  func aRecordWithoutIdOrTimeIsUnreadable(_ text: String) {
    #expect(throws: UnreadableRecord.self) { try VideoEntry(Array(text.utf8), offset: 0, timestamp: nil) }
  }
}
