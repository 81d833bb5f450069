import JSON
import TestSupport
import Testing

@testable import YouTubeStub

@Suite(.timeLimit(.minutes(1))) struct ParameterTests {
  @Test(arguments: [
    ("channels?id=UCK8sQmJBp8GCxrOtXWBpyEA", "400 required"),
    ("channels?part=nonsense&forHandle=Google", "400 unknownPart"),
    ("channels?part=auditDetails&forHandle=Google", "403 forbidden"),
    ("videos?part=fileDetails&id=aaaaaaaaaaa", "403 forbidden"),
    ("channels?part=snippet", "400 missingRequiredParameter"),
    ("channels?part=snippet&id=", "400 missingRequiredParameter"),
    ("channels?part=snippet&id=a&forHandle=b", "400 incompatibleParameters"),
    ("channels?part=snippet&mine=true", "401 authorizationRequired"),
    ("channels?part=snippet&forHandle=Google&maxResults=51", "400 invalidParameter"),
    ("channels?part=snippet&forHandle=Google&maxResults=x", "400 invalid"),
    ("channels?part=snippet&forHandle=Google&nonsense=1", "400 invalid"),
    ("channels?part=snippet&forHandle=Google&fields=items(nonsense)", "400 invalidParameter"),
    ("channels?part=snippet&forHandle=Google&fields=items(id", "400 invalidParameter"),
    ("channels?part=snippet&forHandle=Google&fields=" + String(repeating: "a/", count: 5000), "400 invalidParameter"),
    ("channels?part=snippet&forHandle=Google&alt=xml", "400 badRequest"),
    ("playlistItems?part=snippet", "400 missingRequiredParameter"),
    ("playlistItems?part=snippet&playlistId=UUaaaaaaaaaaaaaaaaaaaaaa", "404 playlistNotFound"),
    ("playlistItems?part=snippet&playlistId=WL", "403 watchLaterNotAccessible"),
    ("playlistItems?part=snippet&playlistId=UUK8sQmJBp8GCxrOtXWBpyEA&pageToken=x", "400 invalidPageToken"),
    ("videos?part=snippet&id=a&maxResults=0", "400 invalidParameter"),
    ("videos?part=snippet&id=a&chart=mostPopular", "400 incompatibleParameters"),
    ("search?part=snippet&q=x&eventType=live", "400 invalidSearchFilter"),
    ("search?part=snippet&q=x&type=video&videoDuration=huge", "400 invalid"),
    ("search?part=snippet&q=x&publishedAfter=yesterday", "400 invalid"),
    ("search?part=snippet&channelId=nonsense", "400 badRequest"),
    ("search?part=snippet&q=x&type=person", "400 badRequest"),
    ("playlists?part=snippet&channelId=UCaaaaaaaaaaaaaaaaaaaaaa", "404 channelNotFound"),
  ])
  func whatTheApiRefusesIsRefusedWithItsReason(_ target: String, _ reason: String) async throws {
    let client = try StubClient()
    #expect(try await client.refusal(target) == reason)
    // Refused calls cost a unit too.
    let statistics = try await client.statistics()
    #expect((statistics["units"]?["default"]?.int ?? 0) + (statistics["units"]?["search"]?.int ?? 0) == 1)
    await client.stub.stop()
  }

  @Test func fiftyIdsAreTakenAndFiftyOneAreNot() async throws {
    let client = try StubClient()
    let ids = (0..<51).map { "id\($0)" }
    #expect(try await client.get("videos?part=id&id=\(ids.dropLast().joined(separator: ","))").status == 200)
    #expect(try await client.refusal("videos?part=id&id=\(ids.joined(separator: ","))") == "400 invalidFilters")
    #expect(try await client.refusal("channels?part=id&id=\(ids.joined(separator: "&id="))") == "400 invalidFilters")
    await client.stub.stop()
  }

  @Test func theDefaultIsFiveItemsAndPretty() async throws {
    let client = try StubClient()
    let answer = try await client.get("playlistItems?part=id&playlistId=\(StubClient.googleUploads)")
    #expect(answer.text.hasPrefix("{\n  \"kind\": \"youtube#playlistItemListResponse\",\n  \"etag\": \""))
    #expect(try JSONTree.parse(answer.body)["items"]?.elements?.count == 5)
    let plain = try await client.get("playlistItems?part=id&playlistId=\(StubClient.googleUploads)&prettyPrint=false&maxResults=0")
    #expect(plain.text.hasPrefix("{\"kind\":\"youtube#playlistItemListResponse\",\"etag\":\""))
    #expect(try JSONTree.parse(plain.body)["items"]?.elements?.count == 0)
    await client.stub.stop()
  }

  @Test(arguments: [
    ("", "403 forbidden"), ("invalid-key", "400 badRequest"), ("disabled-key", "403 accessNotConfigured"),
    ("referrer-key", "403 forbidden"),
    ("other", "400 badRequest"),
  ])
  func badKeysAreRefusedAndCostNothing(_ key: String, _ reason: String) async throws {
    let client = try StubClient { $0.apiKey = "the-key" }
    #expect(try await client.refusal("channels?part=id&forHandle=Google&key=\(key)") == reason)
    #expect(try await client.get("channels?part=id&forHandle=Google&key=the-key").status == 200)
    #expect(try await client.get("channels?part=id&forHandle=Google", headers: ["X-Goog-Api-Key": "the-key"]).status == 200)
    #expect(try await client.statistics()["units"]?["default"]?.int == 2)
    await client.stub.stop()
  }

  @Test func otherPathsAndMethodsAreNotFoundAndNotAllowed() async throws {
    let client = try StubClient()
    let connection = try WireConnection(port: client.stub.port)
    #expect(try await connection.request("GET", "/youtube/v3/nonsense?key=a").status == 404)
    #expect(try await connection.request("GET", "/").status == 404)
    #expect(try await connection.request("POST", "/youtube/v3/videos?part=id&id=a&key=a", body: [1]).status == 405)
    #expect(try await client.statistics()["calls"]?.members?.isEmpty == true)
    await client.stub.stop()
  }

  @Test func fieldsKeepsOnlyWhatIsNamed() async throws {
    let client = try StubClient()
    let list = "playlistItems?part=snippet,contentDetails&playlistId=\(StubClient.googleUploads)&maxResults=1"
    let page = try await client.json("\(list)&fields=nextPageToken,items(snippet(title,resourceId/videoId),contentDetails/videoId)")
    #expect(page.members?.map(\.key) == ["nextPageToken", "items"])
    let item = try #require(page["items"]?.elements?.first)
    #expect(item.members?.map(\.key) == ["snippet", "contentDetails"])
    #expect(item["snippet"]?.members?.map(\.key) == ["title", "resourceId"])
    #expect(item["snippet"]?["resourceId"]?.members?.map(\.key) == ["videoId"])
    #expect(try await client.json("\(list)&fields=*") == client.json(list))
    #expect(
      try await client.json("\(list)&fields=items/id,items/snippet/title")["items"]?.elements?.first?.members?.map(\.key) == [
        "id", "snippet",
      ])
    await client.stub.stop()
  }

  @Test func theEtagAnswers304AndCostsAUnit() async throws {
    let client = try StubClient()
    let list = "playlistItems?part=snippet&playlistId=\(StubClient.googleUploads)"
    let first = try await client.get(list)
    let etag = try #require(try JSONTree.parse(first.body)["etag"]?.string)
    #expect(etag.count == 27)
    #expect(first.headers["etag"] == "\"\(etag)\"")
    for value in [etag, "\"\(etag)\"", "W/\"\(etag)\"", "\"x\", \"\(etag)\""] {
      #expect(try await client.get(list, headers: ["If-None-Match": value]).status == 304)
    }
    try await client.control("POST", "videos", "{\"channelId\": \"\(StubClient.google)\", \"add\": 1}")
    #expect(try await client.get(list, headers: ["If-None-Match": etag]).status == 200)
    #expect(try await client.statistics()["units"]?["default"]?.int == 6)
    await client.stub.stop()
  }

  @Test(arguments: [("gzip", "tests (gzip)", true), ("gzip", "tests", false), ("identity", "gzip", false), ("gzip;q=0, br", "gzip", false)])
  func gzipNeedsTheEncodingAndTheWordInTheAgent(_ encoding: String, _ agent: String, _ isZipped: Bool) async throws {
    let client = try StubClient()
    let answer = try await client.get(
      "playlistItems?part=snippet&playlistId=\(StubClient.googleUploads)", headers: ["Accept-Encoding": encoding, "User-Agent": agent])
    #expect(answer.headers["content-encoding"] == (isZipped ? "gzip" : nil))
    #expect(answer.body.starts(with: [0x1f, 0x8b]) == isZipped)
    await client.stub.stop()
  }
}
