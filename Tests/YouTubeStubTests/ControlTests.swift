import Glibc
import JSON
import TestSupport
import Testing

@testable import YouTubeStub

@Suite(.timeLimit(.minutes(1))) struct ControlTests {
  private let list = "channels?part=id&forHandle=Google"

  @Test func statisticsCountCallsUnitsAndRejections() async throws {
    let client = try StubClient { $0.searchQuota = 1 }
    _ = try await client.get(list)
    _ = try await client.get("search?part=snippet&q=x")
    try await client.control("POST", "quota", "{\"default\": 1}")
    let rejected = try await client.get(list)
    #expect(rejected.status == 403)
    #expect(rejected.text.contains("\"domain\": \"youtube.quota\""))
    let search = try await client.get("search?part=snippet&q=x")
    #expect(search.status == 429)
    #expect(search.text.contains("\"quota_unit\": \"1/d/{project}\"") && search.text.contains("RESOURCE_EXHAUSTED"))
    let expected =
      #"{"calls":{"channels.list":2,"search.list":2},"units":{"default":1,"search":1},"rejected":{"quotaExceeded":1,"rateLimitExceeded":1}}"#
    #expect(try await client.control("GET", "statistics").text == expected)
    #expect(try await client.control("POST", "reset").status == 204)
    #expect(
      try await client.control("GET", "statistics").text == #"{"calls":{},"units":{"default":0,"search":0},"rejected":{"quotaExceeded":0}}"#
    )
    #expect(try await client.get(list).status == 200)
    await client.stub.stop()
  }

  @Test func faultsStrikeFirstInFirstOutAmongThoseThatMatch() async throws {
    let client = try StubClient()
    for body in [
      #"{"match": {"method": "videos.list"}, "status": 500}"#,
      #"{"match": {"forHandle": "Google"}, "count": 2, "status": 503, "reason": "backendError"}"#,
      #"{"match": {"method": "channels.list"}, "status": 429, "reason": "rateLimitExceeded", "headers": {"Retry-After": "1"}}"#,
      #"{"match": {"id": "b"}, "status": 418, "body": "a teapot"}"#,
    ] { #expect(try await client.control("POST", "faults", body).status == 204) }
    #expect(try await client.refusal(list) == "503 backendError")
    #expect(try await client.refusal(list) == "503 backendError")
    let limited = try await client.get(list)
    #expect(limited.status == 429 && limited.headers["retry-after"] == "1")
    #expect(try await client.get(list).status == 200)
    #expect(try await client.get("videos?part=id&id=a").status == 500)
    #expect(try await client.get("videos?part=id&id=a").status == 200)
    #expect(try await client.get("videos?part=id&id=a,b,c").text == "a teapot")
    #expect(try await client.statistics()["units"]?["default"]?.int == 7)
    await client.stub.stop()
  }

  @Test func aFaultForEverStrikesUntilTheLineIsCleared() async throws {
    let client = try StubClient()
    try await client.control("POST", "faults", #"{"count": -1, "status": 403, "reason": "quotaExceeded"}"#)
    for _ in 0..<5 { #expect(try await client.refusal(list) == "403 quotaExceeded") }
    #expect(try await client.control("DELETE", "faults").status == 204)
    #expect(try await client.get(list).status == 200)
    await client.stub.stop()
  }

  @Test func actionsBreakTheAnswerEachInItsWay() async throws {
    let client = try StubClient()
    for action in ["reset", "truncate", "malformed", "html"] { try await client.control("POST", "faults", "{\"action\": \"\(action)\"}") }
    let error = await #expect(throws: WireConnection.Failure.self) { try await client.get(list) }
    #expect(error?.code == ECONNRESET)
    let truncated = try await client.get(list)
    #expect(truncated.status == 200 && !truncated.isComplete && !truncated.body.isEmpty)
    let malformed = try await client.get(list)
    #expect(malformed.status == 200 && malformed.isComplete)
    #expect(throws: JSONError.self) { try JSONTree.parse(malformed.body) }
    let html = try await client.get(list)
    #expect(html.status == 502 && html.text.hasPrefix("<!DOCTYPE html>"))
    #expect(try await client.get(list).status == 200)
    await client.stub.stop()
  }

  @Test func hangKeepsSilentUntilTheStubStops() async throws {
    let client = try StubClient()
    try await client.control("POST", "faults", #"{"action": "hang"}"#)
    let silent = try WireConnection(port: client.stub.port)
    try silent.send("GET /youtube/v3/\(list)&key=k HTTP/1.1\r\nHost: x\r\n\r\n")
    while try await client.statistics()["calls"]?["channels.list"] == nil {}
    #expect(try await client.get(list).status == 200)
    await client.stub.stop()
    await #expect(throws: WireConnection.Failure.self) { try await silent.answer() }
  }

  @Test func aDelayIsWaitedForAndTheAnswerIsTheUsualOne() async throws {
    let client = try StubClient()
    try await client.control("POST", "faults", #"{"delayMs": 30}"#)
    try await client.control("POST", "faults", #"{"status": 500}"#)
    let clock = ContinuousClock()
    let start = clock.now
    // The delay is used up by the call that the next fault then answers.
    #expect(try await client.get(list).status == 500)
    #expect(clock.now - start >= .milliseconds(30))
    #expect(try await client.get(list).status == 200)
    await client.stub.stop()
  }

  @Test func addedVideosComeFirstAndRemovedOnesAreGone() async throws {
    let client = try StubClient()
    let items = "playlistItems?part=contentDetails&maxResults=5&playlistId=\(StubClient.googleUploads)"
    func ids() async throws -> [String] {
      try await client.json(items)["items"]?.elements?.compactMap { $0["contentDetails"]?["videoId"]?.string } ?? []
    }
    let before = try await ids()
    #expect(try await client.control("POST", "videos", "{\"channelId\": \"\(StubClient.google)\", \"add\": 3}").status == 204)
    let after = try await ids()
    #expect(Array(after[3...]) == Array(before[..<2]))
    #expect(try await client.truth("Google")["videos"]?.int == 1_639)
    let removal = "{\"channelId\": \"\(StubClient.google)\", \"remove\": [\"\(after[1])\", \"\(before[0])\"]}"
    #expect(try await client.control("POST", "videos", removal).status == 204)
    #expect(try await ids() == [after[0], after[2], before[1], before[2], before[3]])
    #expect(try await client.json("videos?part=id&id=\(before[0])")["items"] == [])
    #expect(try await client.truth("Google")["listed"]?.int == 1_637)
    #expect(try await client.control("POST", "videos", removal).status == 404)
    await client.stub.stop()
  }

  @Test(arguments: [
    ("POST", "faults", "{", 400), ("POST", "faults", "[]", 400), ("POST", "faults", "{}", 400),
    ("POST", "faults", #"{"action": "explode"}"#, 400),
    ("POST", "faults", #"{"status": 503, "nonsense": 1}"#, 400), ("POST", "faults", #"{"count": 0, "status": 500}"#, 400),
    ("POST", "faults", #"{"status": 500, "headers": {"A": "b\r\nc"}}"#, 400), ("POST", "quota", #"{"default": -1}"#, 400),
    ("POST", "quota", #"{"other": 1}"#, 400), ("POST", "videos", #"{"channelId": "UCx", "add": 1}"#, 404), ("POST", "videos", "{}", 400),
    ("GET", "nonsense", "", 404), ("GET", "faults", "", 404),
  ])
  func unusableControlRequestsAreRefusedInASentence(_ method: String, _ path: String, _ body: String, _ status: Int) async throws {
    let client = try StubClient()
    let answer = try await client.control(method, path, body)
    #expect(answer.status == status)
    #expect(answer.text.hasPrefix("youtube-stub: ") && answer.text.hasSuffix("\n"))
    await client.stub.stop()
  }
}
