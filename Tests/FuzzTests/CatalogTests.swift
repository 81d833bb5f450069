import Foundation
import HTTPServer
import JSON
import Messages
import SQLite
import TestSupport
import Testing

@testable import Catalog

@Suite("Fuzz: catalogue", .timeLimit(.minutes(60)))
struct CatalogFuzzTests {
  /// An index in memory with some titles, as the store makes it.
  private static func index() throws -> Connection {
    let connection = try Connection(path: ":memory:")
    try CatalogSchema.migrate(connection)
    for (number, title) in ["swift kafka", "日本語", "Café 🎉", "\"quoted\" OR NOT"].enumerated() {
      try connection.run("INSERT INTO video_title (rowid, title) VALUES (?, ?)", [.integer(number + 1), .text(SearchText.indexed(title))])
      try connection.run("INSERT INTO channel_text (rowid, title) VALUES (?, ?)", [.integer(number + 1), .text(SearchText.indexed(title))])
    }
    return connection
  }

  private static let operators = ["\"", "*", "^", "AND", "OR", "NOT", "NEAR(", ")", "{title}:", "-", "+", ":", ",", "title", " "]

  @Test func noSearchTextIsASyntaxError() throws {
    let reader = CatalogReader(try Self.index())
    Fuzz.run { one in
      var text = one.random.text()
      for _ in 0..<one.random.below(5) { text += one.random.pick(Self.operators) + one.random.pick(["swift", "日", "🎉", "é", ""]) }
      let query = TextQuery(one.given(text))
      _ = try reader.search(.videos, query)
      _ = try reader.search(.channels, query)
      try claim(query.terms.count <= 12, "\(query.terms.count) terms")
    }
  }

  @Test func cursorsReadBackAndOthersAreRefused() {
    Fuzz.run { one in
      let cursor = Cursor(one.random.number(), one.random.number(), text: String(one.random.text().prefix(50)))
      let list = one.random.text()
      let encoded = one.given(cursor.encoded(for: list))
      let read = Cursor(encoded, for: list)
      try claim(read?.numbers == cursor.numbers, "\(String(describing: read)) is not \(cursor)")
      try claim(Cursor(encoded, for: list + "x") == nil, "the cursor of another list was taken")
      _ = Cursor(String(decoding: one.random.mutated(Array(encoded.utf8)), as: UTF8.self), for: list)
      _ = Cursor(one.random.text(), for: list)
      let bytes = Array(one.random.text().utf8)
      try claim(Base64URL.decode(Base64URL.encode(bytes)) == bytes, "base64")
    }
  }

  @Test func parametersAreReadOrNamed() {
    let names = ["limit", "sort", "filter", "publishedAfter", "publishedBefore", "minDuration", "maxDuration", "cursor"]
    Fuzz.run { one in
      let query = (0..<one.random.below(6)).map { _ in
        HTTPServer.Parameter(
          one.random.pick(names),
          one.random.pick(["5", "newest", "liked", "2026-01-01T00:00:00Z", one.random.text(), "\(one.random.number())"]))
      }
      _ = one.given("\(query)")
      let parameters = Parameters(query)
      do {
        let selection = try parameters.selection()
        try claim((1...100).contains(try parameters.limit()), "limit")
        _ = try parameters.cursor(for: selection.name)
      } catch let problem as Problem {
        try claim(problem.code == .badRequest && names.contains(problem.field ?? ""), "\(problem)")
      }
    }
  }

  private static let bodies = [
    #"{"channel":"@Google","since":"last","maxVideos":5,"publishedAfter":"2026-01-01T00:00:00Z","requestId":"a"}"#,
    #"{"search":{"query":"swift","type":["video","channel"],"maxResults":50,"order":"date","regionCode":"CH","channelId":"UC1234567890123456789012"}}"#,
    #"{"channel":"https://www.youtube.com/watch?v=BVGKskYZrw8","allowSearch":true,"enrich":false,"scope":"video"}"#,
  ]

  @Test func bodiesArePublishedAsTheyWereMeantOrRefused() {
    Fuzz.run { one in
      let body = one.given(one.random.mutated(Array(one.random.pick(Self.bodies).utf8)))
      let request = HTTPServer.Request(
        method: "POST", path: "/api/requests", headers: [HTTPServer.Header("content-type", "application/json")], body: body)
      do {
        let new = try NewRequest(try RequestBody.object(request))
        switch new.message(id: "r") {
        case .channel(let channel): try claim(try JSONTree.parse(channel.bytes)["requestId"] == "r", "no id")
        case .search(let search): try claim(try SearchRequest(value: search.bytes).query == search.query, "another query")
        case .cancel: throw Broken(description: "a cancellation")
        }
      } catch let problem as Problem {
        try claim([400, 422].contains(problem.code.status), "\(problem)")
      }
    }
  }

  private static let record = """
    {"videoId":"BVGKskYZrw8","channelId":"UCone","title":"A title","description":"Words","publishedAt":"2015-06-25T01:50:54Z",\
    "availability":"public","durationSeconds":63,"statistics":{"viewCount":1},"thumbnails":{"default":{"url":"https://i.ytimg.com/a.jpg"}},\
    "source":"search","requestId":"r","position":4,"fetchedAt":"2026-11-30T10:00:00Z"}
    """

  @Test func recordsAreShownOrLeftOut() {
    Fuzz.run { one in
      let bytes = one.given(one.random.mutated(Array(Self.record.utf8)))
      let entry: VideoEntry
      do { entry = try VideoEntry(bytes, offset: 1, timestamp: nil) } catch { return }
      let stored = CatalogReader.StoredVideo(
        n: 1, videoID: entry.videoID, channel: nil, published: entry.published, duration: entry.duration, views: entry.views,
        fetched: entry.fetched, liked: nil, record: entry.record)
      var writer = JSONWriter()
      VideoView(stored).writeDetails(previous: .none, next: .video(VideoView(stored)), to: &writer)
      let view = try JSONTree.parse(writer.bytes)
      try claim(view["id"]?.string == entry.videoID, "another id")
      if let url = view["thumbnail"]?["url"]?.string { try claim(PictureHost.allows(url), url) }
      try claim(view["url"]?.string?.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } == true, "an address with odd characters")
    }
  }

  @Test func pathsLeadSomewhereOrNowhere() {
    Fuzz.run { one in
      let path = one.given(
        "/api/" + one.random.pick(["videos/", "requests/", "searches/", "channels/", ""]) + one.random.text()
          + one.random.pick(["", "/videos", "/like"]))
      if let route = Route(path) { try claim(!route.methods.isEmpty && !route.name.isEmpty, "\(route)") }
    }
  }
}
