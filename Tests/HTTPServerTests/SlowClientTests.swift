import Glibc
import TestSupport
import Testing

@testable import HTTPServer

/// Clients that take connections and give nothing.
@Suite(.timeLimit(.minutes(1))) struct SlowClientTests {
  private func server(_ change: (inout HTTPServer.Limits) -> Void = { _ in }) throws -> HTTPServer {
    var limits = HTTPServer.Limits()
    limits.bodyBytes = 1000
    limits.headerBytes = 8 << 10
    change(&limits)
    return try HTTPServer(port: 0, limits: limits, answer: { .now(.text("\($0.path) \($0.body.count)")) })
  }

  /// Sends a byte now and then, until the server has enough of it. A timeout that counts from the last byte would never come.
  private func drip(_ connection: WireConnection, _ byte: String) async throws -> Duration {
    let begin = ContinuousClock.now
    while true {
      do { try connection.send(byte) } catch { return ContinuousClock.now - begin }
      // The pace of the client under test, not a wait for the server.
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  @Test(arguments: [
    ("a request line", "GET /"), ("header fields", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "),
    ("a body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"),
    ("a body in chunks", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"),
  ])
  func whoeverDripsARequestIsDisconnectedInTime(_ what: String, _ start: String) async throws {
    let server = try server { $0.requestTimeout = .milliseconds(200) }
    let connection = try WireConnection(port: server.port)
    try connection.send(start)
    let took = try await drip(connection, start.hasSuffix("chunked\r\n\r\n") ? "1\r\nx\r\n" : "x")
    // That it ends at all is what the suite's limit is for: on a busy machine the client itself is slow.
    #expect(took > .milliseconds(100), "\(what): \(took)")
    #expect(try await WireConnection(port: server.port).request("GET", "/on").status == 200)
    await server.stop()
  }

  @Test func aSilentConnectionIsClosedBeforeItsFirstRequest() async throws {
    let server = try server { $0.requestTimeout = .milliseconds(100) }
    #expect(try await WireConnection(port: server.port).remainder().isEmpty)
    await server.stop()
  }

  @Test func anIdleConnectionIsClosedAfterItsAnswerHasBeenRead() async throws {
    let server = try server {
      $0.requestTimeout = .seconds(3600)
      $0.idleTimeout = .milliseconds(100)
    }
    let connection = try WireConnection(port: server.port)
    #expect(try await connection.request("GET", "/first").status == 200)
    #expect(try await connection.remainder().isEmpty)
    await server.stop()
  }

  /// More than the sockets on both sides hold, and never read.
  @Test func whoeverDoesNotReadItsAnswerIsDisconnected() async throws {
    var limits = HTTPServer.Limits()
    limits.answerTimeout = .milliseconds(200)
    let server = try HTTPServer(
      port: 0, limits: limits, answer: { _ in .now(.init(body: [UInt8](repeating: 7, count: 64 << 20))) })
    let connection = try WireConnection(port: server.port)
    try connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = try await drip(connection, "x")
    await server.stop()
  }

  @Test func aHandlerMayTakeLongerThanItsClientMay() async throws {
    let gate = Gate()
    var limits = HTTPServer.Limits()
    limits.requestTimeout = .milliseconds(100)
    limits.idleTimeout = .milliseconds(100)
    limits.answerTimeout = .milliseconds(100)
    let server = try HTTPServer(port: 0, limits: limits) { request in
      if request.path == "/slow" { await gate.passed() }
      return .text(request.path)
    }
    let slow = try WireConnection(port: server.port)
    try slow.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
    // Has waited longer than every limit when it is closed.
    #expect(try await WireConnection(port: server.port).remainder().isEmpty)
    gate.arrive()
    #expect(try await slow.answer().text == "/slow")
    await server.stop()
  }

  @Test func fourHundredIdleConnectionsStopNobody() async throws {
    let server = try server()
    let silent = try (0..<200).map { _ in try WireConnection(port: server.port) }
    let halfway = try (0..<200).map { _ in
      let connection = try WireConnection(port: server.port)
      try connection.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
      return connection
    }
    for _ in 0..<50 { #expect(try await WireConnection(port: server.port).request("GET", "/other").text == "/other 0") }
    for connection in halfway.prefix(10) {
      try connection.send("defghij")
      #expect(try await connection.answer().text == "/ 10")
    }
    #expect(try await silent[0].request("GET", "/late").status == 200)
    await server.stop()
  }

  /// When all connections are taken, the next one waits until slow ones have been ended.
  @Test func connectionsThatAreTakenComeBack() async throws {
    let server = try server {
      $0.connections = 10
      $0.requestTimeout = .milliseconds(200)
    }
    let silent = try (0..<10).map { _ in try WireConnection(port: server.port) }
    #expect(try await WireConnection(port: server.port).request("GET", "/next").status == 200)
    for connection in silent { #expect(try await connection.remainder().isEmpty) }
    await server.stop()
  }

  @Test(arguments: ["target", "field", "fields"])
  func aHeaderBeyondTheLimitIsRefused(_ part: String) async throws {
    let server = try server()
    let connection = try WireConnection(port: server.port)
    let long = String(repeating: "a", count: 9000)
    let many = (0..<900).map { "X-\($0): abcdef\r\n" }.joined()
    let text =
      switch part {
      case "target": "GET /\(long) HTTP/1.1\r\nHost: x\r\n\r\n"
      case "field": "GET / HTTP/1.1\r\nHost: x\r\nX-Long: \(long)\r\n\r\n"
      default: "GET / HTTP/1.1\r\nHost: x\r\n\(many)\r\n"
      }
    try? connection.send(text)
    do {
      let status = try await connection.answer().status
      #expect([413, 414, 431, 500].contains(status), "\(part): \(status)")
    } catch let failure as WireConnection.Failure {
      #expect([0, ECONNRESET].contains(failure.code), "\(part)")
    }
    #expect(try await WireConnection(port: server.port).request("GET", "/after").status == 200)
    await server.stop()
  }

  /// A request that is half there would be refused anyway.
  @Test func aSlowClientDoesNotHoldUpTheEnd() async throws {
    let server = try server()
    let slow = try WireConnection(port: server.port)
    try slow.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n")
    // The interim answer says that the server is waiting for the body.
    #expect(try await slow.answer(hasBody: false).status == 100)
    async let ended = slow.remainder()
    // Longer than the test may last.
    await server.stop(grace: .seconds(3600))
    #expect(try await ended.isEmpty)
  }

  @Test func withoutAnAddressOnlyThisHostIsServed() async throws {
    let server = try HTTPServer(port: 0) { _ in .text("") }
    #expect(server.host == "127.0.0.1" && server.address.hasPrefix("http://127.0.0.1:"))
    await server.stop()
  }
}
