import Foundation
import HTTPClient
import HTTPServer
import Synchronization
import Testing
import YouTubeAPI

@Suite("libcurl transport", .timeLimit(.minutes(1)))
struct CurlTransportTests {
  private func request(_ base: String, headers: [HTTPField] = [], timeout: Duration = .seconds(20)) -> HTTPRequest {
    HTTPRequest(baseURL: base, path: "/p", query: [HTTPField("q", "a+b&c é")], headers: headers, timeout: timeout)
  }

  private func transport(_ change: (inout CurlTransport.Limits) -> Void = { _ in }) -> CurlTransport {
    var limits = CurlTransport.Limits()
    change(&limits)
    return CurlTransport(limits: limits)
  }

  private func failure(_ transport: CurlTransport, _ request: HTTPRequest) async -> TransportError? {
    do throws(TransportError) {
      let response = try await transport.send(request)
      Issue.record("an answer: \(response)")
      return nil
    } catch { return error }
  }

  /// 100,000 zero bytes, packed.
  static let zeros =
    "H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA"

  static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: b\r\nSet-Cookie: c=d\r\n\r\n{}"

  @Test func connectionsAreKeptAndHeadersArriveAsGiven() async throws {
    let server = try RawServer { _ in .send(Self.ok) }
    let transport = transport { $0.connectionsPerHost = 1 }
    let headers = [HTTPField("X-Goog-Api-Key", "k"), HTTPField("User-Agent", "t (gzip)"), HTTPField("Accept-Encoding", "gzip")]
    for _ in 0..<5 {
      let response = try await transport.send(request(server.url, headers: headers))
      #expect(response.status == 200)
      #expect(response.body == Array("{}".utf8))
      #expect(response.header("x-a") == "b")
    }
    #expect(server.connections == 1)
    let head = try #require(server.heads.last)
    #expect(head.hasPrefix("GET /p?q=a%2Bb%26c%20%C3%A9 HTTP/1.1\r\n"))
    #expect(head.contains("User-Agent: t (gzip)\r\n"))
    #expect(head.contains("Accept-Encoding: gzip\r\n"))
    #expect(head.contains("X-Goog-Api-Key: k\r\n"))
    #expect(!head.lowercased().contains("cookie"))
  }

  @Test func aBodyMakesItAPostAndTheNextRequestNone() async throws {
    let seen = Mutex<[HTTPServer.Request]>([])
    let server = try HTTPServer(port: 0) { request in
      seen.withLock { $0.append(request) }
      return .text("ok")
    }
    let transport = transport { $0.connectionsPerHost = 1 }
    let body = [UInt8](repeating: 0x61, count: 200_000)
    let post = HTTPRequest(
      baseURL: server.address + "/v1/traces", path: "", headers: [HTTPField("Content-Type", "application/json")], timeout: .seconds(40),
      body: body)
    #expect(try await transport.send(post).status == 200)
    #expect(try await transport.send(request(server.address)).status == 200)
    let requests = seen.withLock { $0 }
    #expect(requests.map(\.method) == ["POST", "GET"])
    #expect(requests[0].path == "/v1/traces" && requests[0].body == body && requests[1].body.isEmpty)
    #expect(requests[0].header("content-type") == "application/json" && requests[0].header("expect") == nil)
    await server.stop()
  }

  @Test func manyRequestsShareTheConnectionsPerHost() async throws {
    let server = try RawServer { _ in .send(Self.ok) }
    let transport = transport { $0.connectionsPerHost = 4 }
    let statuses = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<100 { group.addTask { try? await transport.send(self.request(server.url)).status } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.count == 100 && statuses.allSatisfy { $0 == 200 })
    #expect(server.connections <= 4)
  }

  @Test func compressedBodiesAreUnpacked() async throws {
    let packed = try #require(Data(base64Encoded: "H4sIAAAAAAACA6tWyixJzS1WsoqOrQUAHR9D6gwAAAA="))
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
    let server = try RawServer { _ in .sendBytes(Array(head.utf8) + packed) }
    let response = try await transport().send(request(server.url, headers: [HTTPField("Accept-Encoding", "gzip")]))
    #expect(String(decoding: response.body, as: UTF8.self) == #"{"items":[]}"#)
  }

  @Test(arguments: [RawServer.Action.reset, .send("", close: true)])
  func aRequestIsSentOnceAlsoWhenAConnectionThatWasKeptIsLost(loss: RawServer.Action) async throws {
    let count = Mutex(0)
    let server = try RawServer { _ in
      count.withLock {
        $0 += 1
        return $0
      } == 2 ? loss : .send(Self.ok)
    }
    let transport = transport { $0.connectionsPerHost = 1 }
    #expect(try await transport.send(request(server.url)).status == 200)
    #expect(await failure(transport, request(server.url))?.kind == .connectionLost)
    #expect(server.heads.count == 2)
    #expect(try await transport.send(request(server.url)).status == 200)
    #expect(server.heads.count == 3)
  }

  @Test func aConnectionThatWasResetWhileItWasIdleIsReplaced() async throws {
    let moment = DispatchSemaphore(value: 0)
    let count = Mutex(0)
    let server = try RawServer { _ in
      count.withLock {
        $0 += 1
        return $0
      } == 1 ? .sendThenReset(Self.ok, when: moment) : .send(Self.ok)
    }
    let transport = transport { $0.connectionsPerHost = 1 }
    #expect(try await transport.send(request(server.url)).status == 200)
    moment.signal()
    await server.waitForClose()
    // No byte of it has left on the old connection.
    #expect(try await transport.send(request(server.url)).status == 200)
    #expect(server.heads.count == 2 && server.connections == 2)
  }

  @Test func errorStatusesAreAnswers() async throws {
    let server = try RawServer { _ in .send("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nContent-Length: 1\r\n\r\nx") }
    let response = try await transport().send(request(server.url))
    #expect(response.status == 503)
    #expect(response.header("Retry-After") == "7")
    #expect(response.body == [0x78])
  }

  @Test func redirectsToOtherHostsAreNotFollowed() async throws {
    let other = try RawServer { _ in .send(Self.ok) }
    let server = try RawServer { [url = other.url] _ in
      .send("HTTP/1.1 302 Found\r\nLocation: \(url)/p\r\nContent-Length: 0\r\n\r\n")
    }
    let response = try await transport().send(request(server.url, headers: [HTTPField("X-Goog-Api-Key", "k")]))
    #expect(response.status == 302)
    #expect(other.connections == 0)
  }

  @Test func aRefusedConnectionIsCertainlyUnsent() async throws {
    let port = try BoundPort()
    let error = await failure(transport(), request("http://127.0.0.1:\(port.port)"))
    withExtendedLifetime(port) {}
    #expect(error?.kind == .connectionRefused)
    #expect(error?.isCertainlyUnsent == true)
  }

  @Test func anUnknownHostIsCertainlyUnsent() async {
    let error = await failure(transport(), request("http://no-such-host.invalid"))
    #expect(error?.kind == .nameResolution)
    #expect(error?.isCertainlyUnsent == true)
  }

  @Test(arguments: ["", "nonsense", "ftp://127.0.0.1", "http://", "http://a b"])
  func aBaseThatIsNoWebAddressIsInvalid(base: String) async {
    #expect(await failure(transport(), request(base))?.kind == .invalidURL)
  }

  // With "localhost", the IPv6 address may refuse before the IPv4 address takes the request.
  @Test(arguments: ["127.0.0.1", "localhost"])
  func aResetMayHaveBeenCounted(host: String) async throws {
    let server = try RawServer { _ in .reset }
    let error = await failure(transport(), request("http://\(host):\(server.port)"))
    #expect(server.heads.count >= 1)
    #expect(error?.isCertainlyUnsent == false)
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"items\"", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"ite\r\n7",
    "", "garbage\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nabcde",
  ])
  func aBrokenAnswerIsAnErrorThatMayHaveBeenCounted(answer: String) async throws {
    let server = try RawServer { _ in .send(answer, close: true) }
    do throws(TransportError) {
      // What libcurl takes for HTTP/0.9 or passes on is left to the JSON parser.
      let response = try await transport().send(request(server.url))
      #expect(!response.body.starts(with: Array("{\"items\"".utf8)))
    } catch { #expect(!error.isCertainlyUnsent) }
  }

  @Test func aHangingServerTimesOut() async throws {
    let server = try RawServer { _ in .hang }
    let error = await failure(transport(), request(server.url, timeout: .milliseconds(300)))
    #expect(error?.kind == .timedOut)
    await server.waitForClose()
  }

  @Test func aTrickleOfBytesDoesNotPassTheWholeTimeout() async throws {
    let server = try RawServer { _ in .send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nxx") }
    let error = await failure(transport(), request(server.url, timeout: .milliseconds(300)))
    #expect(error?.kind == .timedOut)
  }

  @Test func silenceTimesOutBeforeTheWholeTimeout() async throws {
    let server = try RawServer { _ in .hang }
    let start = ContinuousClock.now
    let error = await failure(transport { $0.idleTimeout = .seconds(1) }, request(server.url, timeout: .seconds(50)))
    #expect(error?.kind == .timedOut)
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func cancellationEndsTheExchangeAtOnce() async throws {
    let server = try RawServer { _ in .hang }
    let transport = transport()
    let base = server.url
    let task = Task { await self.failure(transport, self.request(base)) }
    while server.heads.isEmpty { await Task.yield() }
    task.cancel()
    let error = await task.value
    #expect(error?.kind == .cancelled && error?.isCertainlyUnsent == false)
    await server.waitForClose()
  }

  @Test func whatIsCancelledBeforeItBeginsIsCertainlyUnsent() async throws {
    let server = try RawServer { _ in .hang }
    let (transport, base) = (transport(), server.url)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await self.failure(transport, self.request(base))
    }
    let error = await task.value
    #expect(error?.kind == .cancelled && error?.isCertainlyUnsent == true)
    #expect(server.heads.isEmpty)
  }

  @Test func whatIsCancelledWhileItWaitsForAConnectionIsCertainlyUnsent() async throws {
    let server = try RawServer { _ in .hang }
    // The first one keeps the connection, however long a busy machine takes for the rest.
    let request = request(server.url, timeout: .seconds(600))
    let transport = transport {
      $0.connectionsPerHost = 1
      $0.idleTimeout = .seconds(600)
    }
    let first = Task { await self.failure(transport, request) }
    while server.heads.isEmpty { await Task.yield() }
    let second = Task { await self.failure(transport, request) }
    // Begun or not, none of it can have left.
    for _ in 0..<100 { await Task.yield() }
    second.cancel()
    let error = await second.value
    #expect(error?.kind == .cancelled && error?.isCertainlyUnsent == true)
    first.cancel()
    #expect(await first.value?.isCertainlyUnsent == false)
    #expect(server.heads.count == 1)
  }

  @Test func bodiesAreBoundedPackedOrNot() async throws {
    let zeros = try #require(Data(base64Encoded: Self.zeros))
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(zeros.count)\r\n\r\n"
    let bomb = try RawServer { _ in .sendBytes(Array(head.utf8) + zeros) }
    let plain = try RawServer { _ in
      .send("HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n" + String(repeating: "x", count: 50_000))
    }
    let transport = transport { $0.maximumBodySize = 10_000 }
    #expect(await failure(transport, request(bomb.url, headers: [HTTPField("Accept-Encoding", "gzip")]))?.kind == .bodyTooLarge)
    #expect(await failure(transport, request(plain.url))?.kind == .bodyTooLarge)
  }

  @Test func aClosedTransportCancelsWhatRunsAndWhatComes() async throws {
    let server = try RawServer { _ in .hang }
    let transport = transport()
    let base = server.url
    let task = Task { await self.failure(transport, self.request(base)) }
    while server.heads.isEmpty { await Task.yield() }
    transport.close()
    transport.close()
    #expect(await task.value?.kind == .cancelled)
    #expect(await failure(transport, request(base))?.kind == .cancelled)
  }
}
