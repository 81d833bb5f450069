import HTTPServer
import JSON
import Testing
import WorkerApp

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct AccessTests {
  private static let token = "a-token-of-24-characters"

  struct Case: Sendable, CustomTestStringConvertible {
    let headers: [String: String]
    let status: Int
    var testDescription: String { "\(headers) → \(status)" }
  }

  @Test(arguments: [
    Case(headers: [:], status: 202), Case(headers: ["sec-fetch-site": "same-origin"], status: 202),
    Case(headers: ["sec-fetch-site": "none"], status: 202), Case(headers: ["sec-fetch-site": "cross-site"], status: 403),
    Case(headers: ["sec-fetch-site": "same-site"], status: 403), Case(headers: ["sec-fetch-site": ""], status: 403),
    Case(headers: ["origin": "http://127.0.0.1:8090"], status: 202), Case(headers: ["origin": "http://127.0.0.1:9999"], status: 403),
    Case(headers: ["origin": "https://evil.example"], status: 403), Case(headers: ["origin": "null"], status: 403),
    Case(headers: ["origin": "http://127.0.0.1:8090.evil.example"], status: 403),
    Case(headers: ["origin": "https://evil.example", "sec-fetch-site": "cross-site"], status: 403),
    Case(headers: ["content-type": "text/plain"], status: 415),
    Case(headers: ["content-type": "application/x-www-form-urlencoded"], status: 415),
    Case(headers: ["content-type": "application/json; charset=utf-8"], status: 202),
  ])
  func whatAPageOfAnotherSiteSendsIsRefused(_ attempt: Case) async throws {
    let scene = try await APIScene()
    var headers = attempt.headers
    headers["content-type"] = headers["content-type"] ?? "application/json"
    let answer = try await scene.ask(
      "POST", "/api/requests", headers: headers.map { HTTPServer.Header($0.key, $0.value) }, body: Array(#"{"channel":"@Google"}"#.utf8))
    #expect(answer.status == attempt.status, "\(answer.body)")
    #expect(scene.publisher.published.withLock { $0.count } == (attempt.status == 202 ? 1 : 0))
  }

  @Test(arguments: ["example.org", "a-b_c.example.org:8443", "127.0.0.1", "[::1]:80", "LOCALHOST"])
  func aHostIsAName(_ text: String) { #expect(HostName.isHost(text)) }

  @Test(arguments: [
    "*", "*.example.org", "https://example.org", "example.org/", "example.org:", "::1", "[::1", "[]", ":80", "bücher.example",
  ])
  func whatNoBrowserSendsIsNoHost(_ text: String) throws {
    #expect(!HostName.isHost(text))
    let error = #expect(throws: SettingError.self) {
      try CatalogConfiguration(Settings(environment: ["CATALOG_HOSTS": "localhost, \(text)"], flags: [:]), isTerminal: false)
    }
    #expect(error?.variable == "CATALOG_HOSTS")
  }

  @Test func withATokenNothingChangesWithoutIt() async throws {
    let scene = try await APIScene(token: Self.token)
    try await scene.store.put(try Sample.video("v1"))
    for (method, target) in [("PUT", "/api/videos/v1/like"), ("DELETE", "/api/videos/v1/like"), ("DELETE", "/api/requests/r")] {
      let answer = try await scene.ask(method, target)
      #expect(answer.status == 401 && answer.header("WWW-Authenticate") != nil)
    }
    #expect(try await scene.post("/api/requests", #"{"channel":"@Google"}"#).status == 401)
    #expect(try await scene.get("/api/videos").ids == ["v1"])
    let bearer = [HTTPServer.Header("authorization", "Bearer \(Self.token)")]
    #expect(try await scene.ask("PUT", "/api/videos/v1/like", headers: bearer).status == 200)
    #expect(try await scene.ask("PUT", "/api/videos/v1/like", headers: [HTTPServer.Header("authorization", "Bearer wrong")]).status == 401)
  }

  @Test func aSessionCarriesTheRight() async throws {
    let scene = try await APIScene(token: Self.token)
    try await scene.store.put(try Sample.video("v1"))
    #expect(try await scene.get("/api/session").body == ["writable": false, "readOnly": false, "needsToken": true])
    #expect(try await scene.post("/api/session", #"{"token":"no-token-of-24-characters"}"#).status == 401)
    let opened = try await scene.post("/api/session", "{\"token\":\"\(Self.token)\"}")
    let cookie = try #require(opened.header("Set-Cookie"))
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains(Self.token) && !cookie.contains("Secure"))
    let session = [HTTPServer.Header("cookie", "other=1; " + (cookie.split(separator: ";").first.map(String.init) ?? ""))]
    #expect(try await scene.get("/api/session", headers: session).body["writable"] == true)
    #expect(try await scene.ask("PUT", "/api/videos/v1/like", headers: session).status == 200)
    let foreign = session + [HTTPServer.Header("sec-fetch-site", "cross-site")]
    #expect(try await scene.ask("PUT", "/api/videos/v1/like", headers: foreign).status == 403)
    #expect(try await scene.ask("DELETE", "/api/session", headers: session).status == 200)
    #expect(try await scene.ask("PUT", "/api/videos/v1/like", headers: session).status == 401)
    let secure = try await scene.post(
      "/api/session", "{\"token\":\"\(Self.token)\"}", headers: [HTTPServer.Header("x-forwarded-proto", "https")])
    #expect(secure.header("Set-Cookie")?.contains("Secure") == true)
  }

  @Test func whoGuessesIsBarredAndWhoHasTheTokenIsNot() async throws {
    let scene = try await APIScene(token: Self.token)
    for _ in 0..<20 { #expect(try await scene.post("/api/session", #"{"token":"wrong"}"#).status == 401) }
    let barred = try await scene.post("/api/session", #"{"token":"wrong"}"#)
    #expect(barred.status == 429)
    #expect((1...60).contains(barred.header("Retry-After").flatMap { Int($0) } ?? 0))
    #expect(try await scene.post("/api/session", "{\"token\":\"\(Self.token)\"}").status == 200)
    #expect(try await scene.post("/api/session", #"{"token":"wrong"}"#).status == 429)
  }

  @Test(arguments: [
    ("Bearer \(token)", 200), ("Bearer  \(token)", 200), ("bearer   \(token)", 200), ("BEARER \(token)", 200), ("Bearer\(token)", 401),
    ("Bearer", 401), ("Bearer ", 401), (" ", 401), ("Basic \(token)", 401), (token, 401), ("Bearer x \(token)", 401),
  ])
  func blanksBetweenSchemeAndTokenAreNoPartOfIt(_ value: String, status: Int) async throws {
    let scene = try await APIScene(token: Self.token)
    try await scene.store.put(try Sample.video("v1"))
    let answer = try await scene.ask("PUT", "/api/videos/v1/like", headers: [HTTPServer.Header("authorization", value)])
    #expect(answer.status == status)
  }

  @Test func readOnlyIsForEverybody() async throws {
    let scene = try await APIScene(token: Self.token, isReadOnly: true)
    let bearer = [HTTPServer.Header("authorization", "Bearer \(Self.token)")]
    let answer = try await scene.ask("PUT", "/api/videos/v1/like", headers: bearer)
    #expect(answer.status == 403 && answer.body["code"] == "readOnly")
    #expect(try await scene.get("/api/session").body == ["writable": false, "readOnly": true, "needsToken": false])
  }

  @Test(arguments: [
    ("127.0.0.1:8090", true), ("localhost", true), ("LOCALHOST:1", true), ("[::1]:8090", true), ("evil.example", false),
    ("127.0.0.1.evil.example", false), ("", false), ("localhost.evil.example:8090", false),
  ])
  func onLoopbackOnlyItsOwnNamesAreAnswered(_ host: String, isKnown: Bool) throws {
    let policy = AccessPolicy(token: nil, isReadOnly: false, hosts: HostName.loopback)
    let request = HTTPServer.Request(method: "GET", path: "/", headers: [HTTPServer.Header("host", host)])
    #expect(((try? policy.checkHost(request)) != nil) == isKnown)
  }

  @Test func sessionsEnd() {
    let sessions = Sessions()
    let name = sessions.open()
    #expect(name.count == 64 && sessions.isOpen(name) && !sessions.isOpen(""))
    let late = Sessions(now: { ContinuousClock.now + Sessions.lifetime })
    #expect(!late.isOpen(name))
  }

  @Test func equalityNeedsEveryByte() {
    #expect(ConstantTime.isEqual([1, 2, 3], [1, 2, 3]))
    #expect(
      !ConstantTime.isEqual([1, 2], [1, 2, 3]) && !ConstantTime.isEqual([1, 2, 3, 4], [1, 2, 3]) && !ConstantTime.isEqual([], [1]))
  }
}
