import HTTPServer
import JSON
import Synchronization
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct APITests {
  /// Titles of which all that sorts them is the same, and longer than what a cursor carries.
  @Test(arguments: ["\u{1F600}", "e" + String(repeating: "\u{301}", count: 5), "\u{65E5}\u{672C}"])
  func channelsWithLongTitlesArePagedThrough(unit: String) async throws {
    let scene = try await APIScene()
    try await scene.store.write { writer in
      for n in 0..<5 { try writer.put(try Sample.channel("UC\(n)", title: String(repeating: unit, count: 200))) }
    }
    var seen: [String] = []
    var target: String? = "/api/channels?sort=title&limit=2"
    while let page = target, seen.count < 20 {
      let answer = try await scene.get(page)
      #expect(answer.status == 200, "\(answer.body)")
      seen += answer.ids
      target = answer.next.map { "/api/channels?sort=title&limit=2&cursor=\($0)" }
    }
    #expect(seen.sorted() == (0..<5).map { "UC\($0)" })
  }

  @Test func sumsThatNoNumberHoldsAreNoFailure() async throws {
    let scene = try await APIScene()
    try await scene.store.write { writer in
      for page in 1...1100 {
        try writer.put(
          try Sample.event(
            #"{"requestId":"r","type":"page","stage":"videos","at":"2026-11-30T11:00:00Z","pageNumber":\#(page),"records":9007199254740991}"#
          ))
      }
    }
    #expect(try await scene.get("/api/requests").status == 200)
    #expect(try await scene.get("/api/requests/r").status == 200)
  }

  @Test func anEventOfATimeToComeHappenedWhenItWasSent() throws {
    let event = #"{"requestId":"r","type":"completed","stage":"videos","at":"2099-01-01T00:00:00Z"}"#
    #expect(try EventEntry(Array(event.utf8), timestamp: 1000).at == 1000)
  }

  @Test func aListIsPagedByItsCursorsOnly() async throws {
    let scene = try await APIScene()
    try await scene.store.put(try (0..<120).map { (n: Int) in try Sample.video("v\(n)", views: n) })
    var ids: [String] = []
    var cursor = ""
    repeat {
      let page = try await scene.get("/api/videos?sort=mostViewed&limit=50" + cursor)
      ids += page.ids
      cursor = page.next.map { "&cursor=" + $0 } ?? ""
    } while !cursor.isEmpty
    #expect(ids == (0..<120).reversed().map { "v\($0)" })
    let next = try #require(try await scene.get("/api/videos?limit=1").body["next"]?.string)
    #expect(try await scene.get("/api/videos?limit=1&sort=oldest&cursor=\(next)").status == 400)
    #expect(try await scene.get("/api/channels/UCone/videos?cursor=\(next)").status == 400)
  }

  @Test(arguments: [
    "/api/videos?limit=0", "/api/videos?limit=101", "/api/videos?limit=x", "/api/videos?limit=", "/api/videos?limit=%2B5",
    "/api/videos?sort=best",
    "/api/videos?filter=", "/api/videos?publishedAfter=yesterday", "/api/videos?minDuration=-1", "/api/videos?cursor=%00",
    "/api/videos?cursor=AAAA", "/api/search", "/api/search?q=a&type=playlists", "/api/videos/x?list=search", "/api/requests?state=old",
  ])
  func wrongParametersAreNamed(_ target: String) async throws {
    let scene = try await APIScene()
    let answer = try await scene.get(target)
    #expect(answer.status == 400 && answer.body["field"]?.string != nil, "\(answer.body)")
    #expect(answer.header("Content-Type") == "application/problem+json")
  }

  @Test(arguments: [
    ("GET", "/api/", 404), ("GET", "/api/nothing", 404), ("GET", "/api/channels/UCx", 404), ("GET", "/api/channels/UCx/videos", 404),
    ("GET", "/api/videos/x", 404), ("PUT", "/api/videos/x/like", 404), ("GET", "/api/requests/x", 404), ("DELETE", "/api/requests/x", 404),
    ("GET", "/api/searches/x/videos", 404), ("PATCH", "/api/videos", 405), ("POST", "/api/videos", 405), ("GET", "/api/videos/x/like", 405),
    ("GET", "/api/openapi.json", 200), ("GET", "/api/quota", 200), ("GET", "/api/pipeline", 200), ("GET", "/api/catalogue", 200),
    ("GET", "/api/requests", 200), ("GET", "/api/channels", 200),
  ])
  func addressesAnswerAsTheyShould(_ method: String, _ target: String, _ status: Int) async throws {
    let scene = try await APIScene()
    let answer = try await scene.ask(method, target)
    #expect(answer.status == status)
    #expect(answer.header("Cache-Control") == "no-store")
    if status == 405 { #expect(answer.header("Allow") != nil) }
  }

  @Test func aVideoHasItsNeighboursInTheList() async throws {
    let scene = try await APIScene()
    try await scene.store.put(
      try (1...5).map { try Sample.video("v\($0)", channel: $0 == 3 ? "UCtwo" : "UCone", views: $0, source: "search", position: 9 - $0) })
    let cases: [(String, String?, String?)] = [
      ("list=catalogue&sort=mostViewed", "v5", "v3"), ("list=channel&sort=mostViewed", "v5", "v2"),
      ("list=search&requestId=r-1", "v5", "v3"),
      ("list=channel&sort=mostViewed&filter=liked", nil, nil), ("", nil, nil),
    ]
    for (query, previous, next) in cases {
      let answer = try await scene.get("/api/videos/v4?" + query)
      #expect(answer.body["previous"]?["id"]?.string == previous && answer.body["next"]?["id"]?.string == next, "\(query)")
    }
  }

  @Test func aVideoThatAPlaylistHasTwiceStandsAtItsFirstPlace() async throws {
    let scene = try await APIScene()
    let places = ["a", "b", "a", "c", "b"]
    try await scene.store.put(
      try places.enumerated().map { try Sample.video($1, source: "playlist", position: $0) }
        // Without a place, and again.
        + (0..<2).map { _ in try Sample.video("d", source: "playlist") })
    var (row, next): ([String], String?) = ([], "a")
    while let id = next, row.count < 9 {
      row.append(id)
      next = try await scene.get("/api/videos/\(id)?list=search&requestId=r-1").body["next"]?["id"]?.string
    }
    #expect(Set(row) == ["a", "b", "c", "d"] && row.count == 4, "\(row)")
    #expect(try await scene.get("/api/videos/c?list=search&requestId=r-1").body["previous"]?["id"]?.string == "b")
    #expect(try await scene.get("/api/searches/r-1/videos").ids.filter { $0 == "d" }.count == 1)
  }

  @Test func aNeighbourThatIsFarAwayIsFoundOrUnknown() async throws {
    let scene = try await APIScene()
    // The filter lets the first and the last through: 4,500 rows are more than one look at the list.
    try await scene.store.put(
      try (0..<4500).map { try Sample.video("v\($0)", seconds: $0 == 0 || $0 == 4499 ? 60 : 600, views: $0) })
    let near = "?list=catalogue&sort=mostViewed&maxDuration=100"
    #expect(try await scene.get("/api/videos/v4499" + near).body["next"]?["id"]?.string == "v0")
    #expect(try await scene.get("/api/videos/v0" + near).body["previous"]?["id"]?.string == "v4499")
    let last = try await scene.get("/api/videos/v0" + near).body
    #expect(last["next"] == nil && last["nextIsUnknown"] == nil)
    try await scene.store.put(try (4500..<52_600).map { (number: Int) in try Sample.video("v\(number)", seconds: 600, views: number) })
    let unknown = try await scene.get("/api/videos/v4499" + near).body
    #expect(unknown["previous"] == nil && unknown["previousIsUnknown"] == true && unknown["next"]?["id"]?.string == "v0")
  }

  @Test func aSearchPagesThroughItsMatches() async throws {
    let scene = try await APIScene()
    try await scene.store.put(try (0..<130).map { try Sample.video("v\($0)", title: "word \($0)") })
    var ids: [String] = []
    var cursor = ""
    repeat {
      let page = try await scene.get("/api/search?q=wor" + cursor)
      #expect(page.body["matches"] == 130 && page.body["complete"] == true)
      ids += page.ids
      cursor = page.next.map { "&cursor=" + $0 } ?? ""
    } while !cursor.isEmpty
    #expect(ids.count == 130 && Set(ids).count == 130)
  }

  @Test func whatCannotBeShownSafelyIsLeftOut() async throws {
    let scene = try await APIScene()
    let record = #"""
      {"videoId":"x\"><script>","title":"<script>alert(1)</script>","thumbnails":{"default":{"url":"javascript:alert(1)"},
      "high":{"url":"https://i.ytimg.com.evil.example/a.jpg"},"medium":{"url":"https://i.ytimg.com/vi/\"onerror=/a.jpg"}},
      "thumbnail":"http://i.ytimg.com/a.jpg","publishedAt":"soon","durationSeconds":"ten","tags":[1,"a"],"statistics":[],
      "availability":"odd","source":"odd","fetchedAt":"2026-11-30T10:00:00Z"}
      """#
    try await scene.store.put(try VideoEntry(Array(record.utf8), offset: 0, timestamp: nil))
    let video = try #require(try await scene.get("/api/videos").body["videos"]?.elements?.first)
    #expect(video["thumbnail"] == nil && video["publishedAt"] == nil && video["durationSeconds"] == nil)
    #expect(video["url"] == "https://www.youtube.com/watch?v=x%22%3E%3Cscript%3E" && video["availability"] == "unknown")
    let details = try await scene.get("/api/videos/x%22%3E%3Cscript%3E").body
    #expect(details["tags"] == ["a"] && details["source"] == "video" && details["playback"] == "unknown")
  }

  @Test func aRequestIsPublishedOnceForItsID() async throws {
    let scene = try await APIScene()
    let first = try await scene.post("/api/requests", #"{"channel":"@Google","requestId":"mine","since":"last"}"#)
    #expect(first.status == 202 && first.body["state"] == "waiting" && first.header("Location") == "/api/requests/mine")
    #expect(try await scene.post("/api/requests", #"{"channel":"@Google","requestId":"mine"}"#).status == 409)
    let (topic, body) = try #require(scene.publisher.published.withLock { $0.first })
    #expect(topic == "channel-requests" && body["since"] == "last" && body["requestId"] == "mine")
    #expect(try await scene.get("/api/requests").ids == ["mine"])
    #expect(try await scene.ask("DELETE", "/api/requests/mine").status == 202)
    #expect(scene.publisher.published.withLock { $0.last?.topic } == "request-control")
    try await scene.store.write {
      try $0.put(try Sample.event(#"{"requestId":"mine","type":"cancelled","stage":"channels","at":"2026-11-30T11:00:00Z"}"#))
    }
    #expect(try await scene.ask("DELETE", "/api/requests/mine").status == 409)
  }

  @Test func aPublishedRequestThatIsNotStoredTellsItsID() async throws {
    let scene = try await APIScene()
    scene.publisher.meanwhile.withLock { $0 = { await scene.store.close() } }
    let answer = try await scene.post("/api/requests", #"{"channel":"@Google","requestId":"mine"}"#)
    #expect(answer.status == 503 && answer.body["requestId"] == "mine", "\(answer.body)")
    #expect(scene.publisher.published.withLock { $0.count } == 1)
  }

  @Test func anIDIsTakenWhileItsRequestIsPublished() async throws {
    let scene = try await APIScene()
    let status = Mutex(0)
    scene.publisher.meanwhile.withLock {
      $0 = {
        let answer = try? await scene.post("/api/requests", #"{"channel":"@Google","requestId":"mine"}"#)
        status.withLock { $0 = answer?.status ?? 0 }
      }
    }
    #expect(try await scene.post("/api/requests", #"{"channel":"@Google","requestId":"mine"}"#).status == 202)
    #expect(status.withLock { $0 } == 409)
    #expect(scene.publisher.published.withLock { $0.count } == 1)
  }

  @Test func aRequestThatKafkaDoesNotTakeIsNotKnown() async throws {
    let scene = try await APIScene()
    scene.publisher.failure.withLock { $0 = Problem(.unavailable, "away") }
    #expect(try await scene.post("/api/requests", #"{"channel":"@Google","requestId":"mine"}"#).status == 503)
    #expect(try await scene.get("/api/requests/mine").status == 404)
    scene.publisher.failure.withLock { $0 = nil }
    #expect(try await scene.post("/api/requests", #"{"channel":"@Google","requestId":"mine"}"#).status == 202)
  }

  @Test(arguments: [
    (#"{"channel":"@Google"}"#, 202), (#"{"channel":"https://www.youtube.com/playlist?list=PLBCF2DAC6FFB574DE"}"#, 202),
    (#"{"search":{"query":"swift"}}"#, 202),
    (#"{"search":{"query":"swift","type":["video"],"videoDuration":"long","maxResults":100}}"#, 202),
    ("{", 400), ("[]", 422), ("{}", 422), (#"{"channel":""}"#, 422), (#"{"channel":7}"#, 422), (#"{"channel":"two words"}"#, 422),
    (#"{"channel":"two words","allowSearch":true}"#, 202), (#"{"channel":"@Google","maxVideos":0}"#, 422),
    (#"{"channel":"@Google","maxVideo":5}"#, 422), (#"{"channel":"@Google","search":{"query":"x"}}"#, 422), (#"{"search":{}}"#, 422),
    (#"{"search":"x"}"#, 422), (#"{"search":{"query":"x","type":[]}}"#, 422),
    (#"{"search":{"query":"x","type":["channel","channel"]}}"#, 422),
    (#"{"search":{"query":"x","videoDuration":"long"}}"#, 422), (#"{"search":{"query":"x","regionCode":"ch"}}"#, 422),
    (#"{"channel":"@Google","requestId":"has blank"}"#, 422), (#"{"channel":"@Google","publishedAfter":"2026"}"#, 422),
  ])
  func bodiesAreReadStrictly(_ body: String, _ status: Int) async throws {
    let scene = try await APIScene()
    let answer = try await scene.post("/api/requests", body)
    #expect(answer.status == status, "\(answer.body)")
  }

  @Test func aRequestsStateFollowsItsEvents() async throws {
    let scene = try await APIScene()
    let events = [
      #"{"requestId":"r/1","type":"resolved","stage":"channels","at":"2026-11-30T10:00:00Z","channelId":"UCone","title":"One","videoCount":90}"#,
      #"{"requestId":"r/1","type":"page","stage":"videos","at":"2026-11-30T10:00:01Z","pageNumber":1,"records":50,"unavailable":2,"totals":{"units":3}}"#,
      #"{"requestId":"r/1","type":"page","stage":"videos","at":"2026-11-30T10:00:01Z","pageNumber":1,"records":50,"unavailable":2}"#,
      #"{"requestId":"r/1","type":"pageFailed","stage":"videos","at":"2026-11-30T10:00:02Z","pageNumber":2,"error":{"code":"c","message":"m"}}"#,
    ]
    for event in events { try await scene.store.write { try $0.put(try Sample.event(event)) } }
    let running = try await scene.get("/api/requests/r%2F1").body
    #expect(
      running["state"] == "running" && running["videos"] == 50 && running["expected"] == 90 && running["failedPages"] == 1
        && running["searches"] == 0)
    #expect(running["pageFailures"]?.elements?.count == 1 && running["events"]?.elements?.count == 4)
    try await scene.store.write {
      try $0.put(
        try Sample.event(
          #"{"requestId":"r/1","type":"completed","stage":"videos","at":"2026-11-30T10:00:03Z","totals":{"pages":2,"items":88,"units":5,"searches":1}}"#
        )
      )
    }
    let ended = try await scene.get("/api/requests/r%2F1").body
    #expect(
      ended["state"] == "completed" && ended["videos"] == 88 && ended["units"] == 5 && ended["searches"] == 1 && ended["active"] == false)
    #expect(try await scene.get("/api/requests?state=active").ids == [])
    #expect(try await scene.get("/api/requests?state=ended").ids == ["r/1"])
  }

  @Test func aSearchListsWhatItFoundInItsOrder() async throws {
    let scene = try await APIScene()
    try await scene.store.write { writer in
      try writer.put(
        try Sample.event(
          #"""
          {"requestId":"s","type":"resolved","stage":"search","at":"2026-11-30T10:00:00Z","results":[{"position":0,"channelId":"UCb"},
          {"position":1,"videoId":"v1"},{"position":2,"channelId":"UCa"}]}
          """#))
      try writer.put(try Sample.channel("UCa", request: "s/UCa"))
      try writer.put(try Sample.channel("UCb", request: "s/UCb"))
      try writer.put(try Sample.video("v1", source: "search", request: "s", position: 1))
      try writer.put(try Sample.video("v0", source: "search", request: "s", position: 0))
    }
    #expect(try await scene.get("/api/searches/s/channels").ids == ["UCb", "UCa"])
    #expect(try await scene.get("/api/searches/s/videos").ids == ["v0", "v1"])
    #expect(try await scene.get("/api/searches/s/videos?limit=1").body["next"] != nil)
  }

  @Test func everyEmbeddedFileIsServedWithItsType() throws {
    #expect(StaticFiles.names.contains("index.html") && StaticFiles.names.contains("openapi.json"))
    for name in StaticFiles.names where name != "openapi.json" {
      let answer = try #require(StaticFiles.answer(HTTPServer.Request(method: "GET", path: "/" + name)))
      #expect(answer.status == 200)
      #expect(answer.headers.first { $0.name == "Content-Type" }?.value != "application/octet-stream", "\(name)")
      let tag = try #require(answer.headers.first { $0.name == "ETag" }?.value)
      let again = HTTPServer.Request(method: "GET", path: "/" + name, headers: [HTTPServer.Header("if-none-match", tag)])
      #expect(StaticFiles.answer(again)?.status == 304)
    }
    #expect(StaticFiles.answer(HTTPServer.Request(method: "GET", path: "/missing.js")) == nil)
    #expect(StaticFiles.answer(HTTPServer.Request(method: "POST", path: "/"))?.status == 405)
  }
}
