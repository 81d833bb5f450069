import SQLite
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct PagingTests {
  private static func fill(_ store: CatalogStore) async throws {
    let availabilities = ["public", "private", "public", "deleted", "unlisted"]
    try await store.put(
      try (0..<100).map { n in
        try Sample.video(
          "v\(n)", channel: n % 3 == 0 ? "UCone" : n % 3 == 1 ? "UCtwo" : nil,
          published: n % 10 == 0 ? nil : "2026-01-\(n % 7 + 10)T00:00:00Z", seconds: n % 9 == 0 ? nil : n % 13,
          views: n % 8 == 0 ? nil : n % 5,
          availability: availabilities[n % 5])
      })
    for n in stride(from: 0, to: 100, by: 4) { _ = try await store.write { try $0.setLike("v\(n)", true) } }
  }

  private static let selections = VideoSelection.Sort.allCases.flatMap { sort in
    VideoSelection.Filter.allCases.map { VideoSelection(sort: sort, filter: $0) }
  }

  @Test(arguments: selections)
  func pagesHoldEveryVideoOnceInOrder(_ selection: VideoSelection) async throws {
    try await StoreScene.with { store, _ in
      try await Self.fill(store)
      let channel = try await store.read { try $0.channel("UCone")?.n }
      for scope in [nil, channel] {
        var selection = selection
        selection.channel = scope
        let paged = try await store.list(selection)
        let whole = try await store.list(selection, limit: 1000)
        #expect(paged == whole)
        let expected = (0..<100).filter { n in
          (scope == nil || n % 3 == 0) && (selection.filter != .liked || n % 4 == 0)
            && (selection.filter != .unavailable || [1, 3].contains(n % 5))
        }
        #expect(Set(whole) == Set(expected.map { "v\($0)" }) && whole.count == expected.count)
      }
    }
  }

  @Test func backwardsIsTheSameOrderReversed() async throws {
    try await StoreScene.with { store, _ in
      try await Self.fill(store)
      for selection in Self.selections {
        let forwards = try await store.read { try $0.videos(selection, behind: nil, limit: 200).rows }
        let place = try #require(forwards.last.map { Self.place($0, selection) })
        let backwards = try await store.read { try $0.videos(selection, behind: place, limit: 200, backwards: true).rows }
        #expect(backwards.map(\.n).reversed() == forwards.dropLast().map(\.n))
      }
    }
  }

  private static func place(_ video: CatalogReader.StoredVideo, _ selection: VideoSelection) -> VideoSelection.Place {
    selection.place(of: video)
  }

  @Test(arguments: [
    (VideoSelection(sort: .newest, publishedAfter: 1_768_262_400), 1_768_262_400...Int.max, 0...Int.max),
    (VideoSelection(sort: .mostViewed, publishedBefore: 1_768_262_400), 0...1_768_262_399, Int.min...Int.max),
    (VideoSelection(sort: .shortest, minDuration: 3, maxDuration: 5), Int.min...Int.max, 3...5),
    (VideoSelection(sort: .newest, minDuration: 0, maxDuration: 2), Int.min...Int.max, 0...2),
  ])
  func rangesAdmitKnownValuesOnly(_ selection: VideoSelection, published: ClosedRange<Int>, duration: ClosedRange<Int>) async throws {
    try await StoreScene.with { store, _ in
      try await Self.fill(store)
      let all = try await store.read { try $0.videos(VideoSelection(), behind: nil, limit: 200).rows }
      let usesPublished = selection.publishedAfter != nil || selection.publishedBefore != nil
      let expected = all.filter { video in
        usesPublished ? published.contains(video.published) : video.duration >= 0 && duration.contains(video.duration)
      }
      #expect(Set(try await store.list(selection)) == Set(expected.map(\.videoID)))
    }
  }

  @Test func everyListReadsAnIndexInItsOrder() async throws {
    try await StoreScene.with { store, _ in
      for selection in Self.selections {
        for channel in [nil, 1] {
          for place in [nil, VideoSelection.Place(key: 1, n: 1)] {
            var selection = selection
            selection.channel = channel
            let (sql, values) = selection.statement(behind: place)
            let plan = try await store.read { reader in
              try reader.connection.query("EXPLAIN QUERY PLAN " + sql, values.map { .integer($0) }) { $0.text(3) ?? "" }
            }
            let index = [
              "video", channel == nil ? "all" : "channel", selection.key, selection.filter == .all ? nil : selection.filter.rawValue,
            ]
            let name = index.compactMap { $0 }.joined(separator: "_")
            #expect(plan.count == 1 && plan[0].contains("INDEX \(name)") && !plan[0].contains("TEMP"), "\(sql): \(plan)")
            if place != nil || channel != nil { #expect(plan.first?.hasPrefix("SEARCH") == true, "\(sql): \(plan)") }
          }
        }
      }
    }
  }

  @Test func otherListsReadIndexesToo() async throws {
    let queries = [
      "SELECT n FROM channel c WHERE c.fetched IS NOT NULL AND (c.title_key, c.n) > (?, ?) ORDER BY c.title_key, c.n LIMIT 5",
      "SELECT n FROM request WHERE active = 1 AND (begun, n) < (?, ?) ORDER BY begun DESC, n DESC LIMIT 5",
      "SELECT video_id FROM found_video WHERE request_id = 'r' AND (position, video_id) > (?, ?) ORDER BY position, video_id LIMIT 5",
      "SELECT n FROM video WHERE fetched < ? ORDER BY fetched LIMIT 5",
    ]
    try await StoreScene.with { store, _ in
      for sql in queries {
        let plan = try await store.read { try $0.connection.query("EXPLAIN QUERY PLAN " + sql) { $0.text(3) ?? "" } }
        #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH"), "\(sql): \(plan)")
      }
    }
  }

  @Test func aFilterThatLetsFewThroughMakesShortPagesThatGoOn() async throws {
    try await StoreScene.with { store, _ in
      try await store.put(try (0..<9000).map { try Sample.video("v\($0)", seconds: $0 == 8000 ? 5000 : 1) })
      let selection = VideoSelection(sort: .newest, minDuration: 4000)
      let first = try await store.read { try $0.videos(selection, behind: nil, limit: 50) }
      #expect(first.rows.count < 50 && first.next != nil)
      #expect(try await store.list(selection) == ["v8000"])
    }
  }
}
