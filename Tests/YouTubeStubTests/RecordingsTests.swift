import FoundationEssentials
import JSON
import TestSupport
import Testing

@testable import YouTubeStub

@Suite(.timeLimit(.minutes(1))) struct RecordingsTests {
  private func item(_ position: Int) -> String {
    """
    {"kind": "youtube#playlistItem", "etag": "e", "id": "item\(position)", "snippet": {"playlistId": "PL1", "position": \(position), "title": "t\(position)",
     "resourceId": {"kind": "youtube#video", "videoId": "v\(position)"}}, "status": {"privacyStatus": "public"}}
    """
  }

  private func page(_ range: Range<Int>) -> String {
    "{\"kind\": \"youtube#playlistItemListResponse\", \"items\": [\(range.map(item).joined(separator: ","))]}"
  }

  private func folder(_ files: [String: String]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recordings-\(UInt64.random(in: 0 ... .max))").path
    for (name, text) in files {
      let place = "\(folder)/\(name)"
      try FileManager.default.createDirectory(
        atPath: String(place[..<(place.lastIndex(of: "/") ?? place.endIndex)]), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: place))
    }
    return folder
  }

  @Test func pagesOfAPlaylistAreOneListAndPartsOfAResourceOneResource() async throws {
    let folder = try folder([
      "b.json": page(0..<50), "deep/a.json": page(50..<67), "note.txt": "no JSON", "error.json": #"{"error": {"code": 404}}"#,
      "c1.json":
        ##"{"kind": "youtube#channelListResponse", "items": [{"kind": "youtube#channel", "id": "UC1", "snippet": {"title": "T", "customUrl": "@Tea"}}]}"##,
      "c2.json":
        #"{"kind": "youtube#channelListResponse", "items": [{"kind": "youtube#channel", "id": "UC1", "statistics": {"viewCount": "1"}}]}"#,
    ])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let client = try StubClient { $0.recordings = folder }
    let items = try await client.all("playlistItems?part=snippet&maxResults=50&playlistId=PL1")
    #expect(items.compactMap { $0["snippet"]?["position"]?.int } == Array(0..<67))
    #expect(items.first?["status"] == nil)
    let channel = try await client.json("channels?part=snippet,statistics&forHandle=tea&fields=items(id,statistics)")["items"]?.elements?
      .first
    #expect(channel == ["id": "UC1", "statistics": ["viewCount": "1"]])
    #expect(try await client.json("channels?part=id&forHandle=Google")["items"] == nil)
    #expect(try await client.refusal("playlistItems?part=id&playlistId=PL2") == "404 playlistNotFound")
    await client.stub.stop()
  }

  @Test func aFolderThatIsMissingOrBrokenIsAnError() throws {
    #expect(throws: RecordingsError.self) { try StubClient { $0.recordings = "/no/such/folder" } }
    let folder = try folder(["broken.json": "{"])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let error = #expect(throws: RecordingsError.self) { try StubClient { $0.recordings = folder } }
    #expect(error?.description.contains("broken.json") == true)
  }
}

@Suite struct ArgumentTests {
  @Test func flagsAreReadInBothForms() throws {
    var expected = StubConfiguration()
    expected.port = 8080
    expected.latency = .milliseconds(200)
    expected.seed = 9
    #expect(try StubConfiguration.parse(["--port", "8080", "--latency=200ms", "--seed", "9"]) == .serve(expected))
    #expect(try StubConfiguration.parse(["--port", "1", "--help"]) == .help)
    #expect(try StubConfiguration.parse(["--version"]) == .version)
  }

  @Test(arguments: [
    ["--port"], ["--port", "x"], ["--port", "65536"], ["--latency", "fast"], ["--seed=-1"], ["--nonsense", "1"], ["word"],
    ["--channels", "-1"],
    ["--recordings="],
  ])
  func wrongFlagsAreRefusedByName(_ arguments: [String]) {
    let error = #expect(throws: UsageError.self) { try StubConfiguration.parse(arguments) }
    #expect(error?.sentence.contains(arguments[0].prefix { $0 != "=" }) == true)
  }
}
