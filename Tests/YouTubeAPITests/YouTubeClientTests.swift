import Synchronization
import Telemetry
import TestSupport
import Testing
import YouTubeAPI

@Suite("YouTube client", .timeLimit(.minutes(1)))
struct YouTubeClientTests {
  /// A client with everything around it recorded.
  struct Bench {
    let transport: ScriptedTransport
    let gate = RecordingCallGate()
    let retry: ImmediateCallRetry
    let calls = CallRecorder()
    let lines = LineRecorder()
    let client: YouTubeClient

    init(
      _ steps: [ScriptedTransport.Step], retries: Int = 2, key: String = "TOP-SECRET", tracer: Tracer = .off,
      _ change: (inout ClientConfiguration) -> Void = { _ in }
    ) {
      transport = ScriptedTransport(steps)
      retry = ImmediateCallRetry(retries: retries)
      var configuration = ClientConfiguration(apiKey: Secret(key))
      change(&configuration)
      let lines = lines
      client = YouTubeClient(
        configuration: configuration, transport: transport, gate: gate, retry: retry,
        logger: Logger(label: "api", level: .debug) { lines.add("\($0.message) \($0.metadata)") }, observer: calls, tracer: tracer)
    }
  }

  final class CallRecorder: APICallObserver {
    private let state = Mutex<[APICall]>([])
    var outcomes: [APICall.Outcome] { state.withLock { $0.map(\.outcome) } }
    var calls: [APICall] { state.withLock { $0 } }
    func observe(_ call: APICall) { state.withLock { $0.append(call) } }
  }

  final class LineRecorder: Sendable {
    private let state = Mutex<[String]>([])
    var lines: [String] { state.withLock { $0 } }
    func add(_ line: String) { state.withLock { $0.append(line) } }
  }

  private func failure<T>(_ body: () async throws(APIFailure) -> T) async -> APIFailure? {
    do throws(APIFailure) {
      _ = try await body()
      return nil
    } catch { return error }
  }

  static func error(_ status: Int, _ reason: String, _ domain: String = "global", metadata: String? = nil) -> ScriptedTransport.Step {
    let details = metadata.map { #","details":[{"reason":"RATE_LIMIT_EXCEEDED","metadata":\#($0)}]"# } ?? ""
    return .json(
      #"{"error":{"code":\#(status),"message":"m TOP-SECRET","errors":[{"domain":"\#(domain)","reason":"\#(reason)"}]\#(details)}}"#,
      status: status, headers: [HTTPField("Retry-After", "9")])
  }

  static let empty = ScriptedTransport.Step.json(#"{"items":[]}"#)
  static let quotaExceeded = error(403, "quotaExceeded", "youtube.quota")

  @Test func aPageIsAskedForWithWhatIsUsedOnly() async throws {
    let bench = Bench([.json(#"{"items":[{"contentDetails":{"videoId":"a"}},7],"nextPageToken":"CDIQAA","pageInfo":{"totalResults":51}}"#)])
    let page = try await bench.client.playlistItems(playlistID: "UUx", pageToken: "EAAaBlBUOkNCUQ", maxResults: 500)
    #expect(page == PlaylistItemPage(items: [PlaylistItem(videoID: "a")], nextPageToken: "CDIQAA", totalResults: 51, skipped: 1))
    let request = try #require(bench.transport.requests.first)
    #expect(
      request.url.hasPrefix("https://youtube.googleapis.com/youtube/v3/playlistItems?part=snippet,contentDetails,status&playlistId=UUx&"))
    #expect(request.parameter("maxResults") == "50")
    #expect(request.parameter("pageToken") == "EAAaBlBUOkNCUQ")
    #expect(request.parameter("prettyPrint") == "false")
    #expect(request.parameter("fields")?.contains("items(snippet(") == true)
    #expect(request.header("accept-encoding") == "gzip")
    #expect(request.header("User-Agent")?.contains("gzip") == true)
    #expect(request.header("X-Goog-Api-Key") == "TOP-SECRET")
    #expect(!request.url.contains("TOP-SECRET"))
    #expect(bench.calls.calls.map(\.skipped) == [1])
    #expect(bench.gate.record.admitted == [.playlistItemsList])
  }

  @Test func everyMethodTakesItsOwnParameters() async throws {
    let bench = Bench([Self.empty, Self.empty, Self.empty, Self.empty, Self.empty])
    #expect(try await bench.client.channel(forHandle: "日本+&") == nil)
    #expect(try await bench.client.channel(forUsername: "SkAtE702") == nil)
    #expect(try await bench.client.channels(ids: ["UCa", "UCb", "UCa", "a,b", ""]) == [])
    #expect(try await bench.client.videos(ids: ["x"]) == [])
    let query = SearchQuery(text: "a|b", kinds: [.channel, .video], order: .date, channelID: "UCa", publishedAfter: "2026-01-01T00:00:00Z")
    #expect(try await bench.client.search(query).results == [])
    let requests = bench.transport.requests
    #expect(requests[0].url.contains("forHandle=%40%E6%97%A5%E6%9C%AC%2B%26&maxResults=50"))
    #expect(requests[1].parameter("forUsername") == "SkAtE702")
    #expect(requests[2].parameter("id") == "UCa,UCb")
    #expect(requests[2].parameter("maxResults") == "50")
    #expect(requests[3].parameter("maxResults") == nil)
    #expect(
      requests[4].url.contains("part=snippet&q=a%7Cb&type=channel,video&maxResults=50&order=date&channelId=UCa&publishedAfter=2026-01-01T"))
    #expect(requests.map(\.path) == ["channels", "channels", "channels", "videos", "search"].map { "/youtube/v3/" + $0 })
  }

  @Test func idsGoFiftyToACallAndNoneCostsNothing() async throws {
    let bench = Bench([Self.empty, Self.empty])
    _ = try await bench.client.videos(ids: (0..<51).map { "v\($0)" })
    #expect(bench.transport.requests.map { $0.parameter("id")?.split(separator: ",").count } == [50, 1])
    #expect(try await bench.client.videos(ids: []) == [])
    #expect(try await bench.client.channels(ids: ["a b"]) == [])
    #expect(bench.gate.record.admitted.count == 2)
  }

  @Test func transientFailuresAreTriedAgainAndEachTryIsAdmitted() async throws {
    let bench = Bench([Self.error(503, "backendError"), .fail(TransportError(.connectionLost)), Self.empty])
    _ = try await bench.client.videos(ids: ["x"])
    #expect(bench.gate.record.admitted.count == 3)
    #expect(bench.gate.record.refunded.isEmpty)
    #expect(bench.retry.questions == [.init(failures: 1, retryAfter: .seconds(9)), .init(failures: 2, retryAfter: nil)])
    #expect(bench.retry.sleeps == [.seconds(9), .seconds(2)])
    #expect(bench.calls.outcomes == [.transient, .transient, .succeeded])
  }

  @Test(arguments: ["<html>", "", "[]", #"{"items":["#, #"{"items":{}}"#, "{}", "null", #"{"error":{"code":503,"message":"m"}}"#])
  func garbageWithStatus200IsTransient(body: String) async throws {
    let bench = Bench([.json(body), .json(body), .json(body)])
    let failure = await failure { () async throws(APIFailure) in try await bench.client.videos(ids: ["x"]) }
    guard case .transient(let error) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(error.isRetriable)
    #expect(bench.transport.requests.count == 3)
  }

  @Test(arguments: [TransportError.Kind.nameResolution, .connectionRefused])
  func whatWasNotSentIsRefunded(kind: TransportError.Kind) async throws {
    let bench = Bench([.fail(TransportError(kind)), Self.empty])
    _ = try await bench.client.videos(ids: ["x"])
    #expect(bench.gate.record.refunded == [.videosList])
    #expect(bench.calls.outcomes == [.unsent, .succeeded])
  }

  @Test func aUsedUpDayConsumesNoAttempt() async throws {
    let bench = Bench(Array(repeating: Self.quotaExceeded, count: 5) + [Self.empty], retries: 0)
    _ = try await bench.client.videos(ids: ["x"])
    #expect(bench.gate.record.exhausted == Array(repeating: .videosList, count: 5))
    #expect(bench.gate.record.admitted.count == 6)
    // A gate that lets the call through all the same does not make the client hammer the API.
    #expect(bench.retry.sleeps.count == 4)
  }

  static let zero = error(429, "rateLimitExceeded", metadata: #"{"quota_unit":"1/d/{project}","quota_limit_value":"0"}"#)

  @Test func aZeroLimitIsConfigurationUntilTheBucketHasWorked() async throws {
    let fresh = Bench([Self.zero])
    let failure = await failure { () async throws(APIFailure) in try await fresh.client.search(SearchQuery(text: "x")) }
    guard case .configuration(_, let fix) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(fix.contains("quota"))
    #expect(fresh.gate.record.exhausted.isEmpty)
    let used = Bench([Self.empty, Self.zero, Self.empty])
    _ = try await used.client.search(SearchQuery(text: "x"))
    _ = try await used.client.search(SearchQuery(text: "y"))
    #expect(used.gate.record.exhausted == [.searchList])
    let other = Bench([Self.empty, Self.zero])
    _ = try await other.client.videos(ids: ["x"])
    #expect(await self.failure { () async throws(APIFailure) in try await other.client.search(SearchQuery(text: "x")) } != nil)
  }

  @Test func finalFailuresAreNotTriedAgain() async throws {
    let bench = Bench([Self.error(404, "playlistNotFound"), Self.error(400, "invalidPageToken"), Self.error(400, "keyInvalid")])
    var failures: [APIFailure?] = []
    for _ in 0..<3 {
      failures.append(await failure { () async throws(APIFailure) in try await bench.client.playlistItems(playlistID: "UUx") })
    }
    guard case (.notFound(let first), .rejected(let second), .configuration) = (failures[0], failures[1], failures[2]) else {
      Issue.record("\(failures)")
      return
    }
    #expect(first.reason == "playlistNotFound")
    #expect(second.reason == "invalidPageToken")
    #expect(bench.transport.requests.count == 3)
  }

  @Test func channelsThatTheAPICallsNotFoundAreNone() async throws {
    let missing = Self.error(404, "channelNotFound", "youtube.channel")
    let bench = Bench([missing, missing, missing])
    #expect(try await bench.client.channel(forHandle: "x") == nil)
    #expect(try await bench.client.channels(ids: ["UCx"]) == [])
    #expect(await failure { () async throws(APIFailure) in try await bench.client.channels(ids: ["UCx", "UCy"]) } != nil)
  }

  @Test(arguments: ["", "a b", "a\r\nX-Evil: 1", "schlüssel"])
  func aKeyThatCannotBeSentIsConfigurationBeforeAnythingIsSpent(key: String) async throws {
    let bench = Bench([], key: key)
    let failure = await failure { () async throws(APIFailure) in try await bench.client.videos(ids: ["x"]) }
    guard case .configuration(let error, _) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(key.isEmpty || !"\(error)".contains(key))
    #expect(bench.gate.record.admitted.isEmpty)
  }

  @Test func theKeyAppearsNowhereButInTheRequest() async throws {
    let steps = [
      Self.error(503, "TOP-SECRET"), Self.error(403, "quotaExceeded", "TOP-SECRET"), Self.error(400, "TOP-SECRET", "TOP-SECRET"),
    ]
    let bench = Bench(steps) { $0.keyPlacement = .query }
    let failure = await failure { () async throws(APIFailure) in try await bench.client.videos(ids: ["x"]) }
    let request = try #require(bench.transport.requests.first)
    #expect(request.parameter("key") == "TOP-SECRET")
    #expect(request.header("X-Goog-Api-Key") == nil)
    var seen = "\(String(describing: failure)) \(bench.lines.lines) \(request) \(String(reflecting: request)) \(bench.calls.calls)"
    dump(request, to: &seen)
    dump(bench.client, to: &seen)
    #expect(bench.lines.lines.count == 2)
    #expect(!seen.contains("TOP-SECRET"))
  }

  @Test func cancellationEndsTheCall() async throws {
    let bench = Bench([.hang])
    let task = Task { await self.failure { () async throws(APIFailure) in try await bench.client.videos(ids: ["x"]) } }
    await bench.transport.waitForRequests(1)
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(bench.gate.record.refunded.isEmpty)
    #expect(bench.calls.outcomes == [.cancelled])
  }

  @Test func aBaseWithASlashAtItsEndIsTheSame() async throws {
    let bench = Bench([Self.empty]) { $0.baseURL = "http://127.0.0.1:8080/proxy/" }
    _ = try await bench.client.videos(ids: ["x"])
    #expect(bench.transport.requests.first?.url.hasPrefix("http://127.0.0.1:8080/proxy/youtube/v3/videos?") == true)
  }

  @Test func metricsCountCallsByOutcome() {
    let metrics = Metrics()
    let observer = MetricsCallObserver(metrics: metrics)
    observer.observe(APICall(method: .videosList, outcome: .succeeded, status: 200, duration: .milliseconds(5), bytes: 7, skipped: 2))
    #expect(metrics.value("tubeline_api_calls_total", "videos.list", "succeeded") == 1)
    #expect(metrics.value("tubeline_api_response_bytes_total", "videos.list") == 7)
    #expect(metrics.value("tubeline_api_items_skipped_total", "videos.list") == 2)
    #expect(metrics.exposition().contains("tubeline_api_call_seconds_count{method=\"videos.list\"} 1"))
  }
}
