import Glibc
import TestSupport
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1))) struct AnsweringTests {
  private func echo() throws -> HTTPServer {
    var limits = HTTPServer.Limits()
    limits.bodyBytes = 1_000
    return try HTTPServer(
      port: 0, limits: limits,
      answer: { request in
        let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
        let text = "\(request.method) \(request.path) \(query) \(request.header("x-test") ?? "-") \(request.body.count)"
        return .now(.text(text))
      })
  }

  @Test func handsOverMethodPathQueryHeaderAndBody() async throws {
    let server = try echo()
    let connection = try WireConnection(port: server.port)
    let answer = try await connection.request("POST", "/a%20b?x=1+2", headers: ["X-Test": "yes \t"], body: [1, 2, 3])
    #expect(answer.status == 200)
    #expect(answer.text == "POST /a b x=1 2 yes 3")
    #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
    await server.stop()
  }

  @Test func keepsTheConnectionForFurtherRequests() async throws {
    let server = try echo()
    let connection = try WireConnection(port: server.port)
    for number in 0..<50 {
      #expect(try await connection.request("GET", "/\(number)").text == "GET /\(number)  - 0")
    }
    await server.stop()
  }

  @Test func readsChunkedBodies() async throws {
    let server = try echo()
    let connection = try WireConnection(port: server.port)
    try connection.send("POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n2\r\nef\r\n0\r\n\r\n")
    #expect(try await connection.answer().text == "POST /c  - 6")
    await server.stop()
  }

  @Test func refusesBodiesBeyondTheLimit() async throws {
    let server = try echo()
    let announced = try await WireConnection(port: server.port).request("POST", "/", body: [UInt8](repeating: 0, count: 1_001))
    #expect(announced.status == 413)
    let chunked = try WireConnection(port: server.port)
    let chunk = "320\r\n" + String(repeating: "x", count: 800) + "\r\n"
    try chunked.send("POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + chunk + "0\r\n\r\n")
    #expect(try await chunked.answer().status == 413)
    let atTheLimit = try await WireConnection(port: server.port).request("POST", "/", body: [UInt8](repeating: 0, count: 1_000))
    #expect(atTheLimit.text.hasSuffix(" 1000"))
    await server.stop()
  }

  @Test(arguments: ["nonsense\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET /\u{1} HTTP/9\r\nHost: x\r\n\r\n"])
  func survivesWhatIsNoRequest(_ text: String) async throws {
    let server = try echo()
    let connection = try WireConnection(port: server.port)
    try connection.send(text)
    _ = try? await connection.answer()
    #expect(try await WireConnection(port: server.port).request("GET", "/after").status == 200)
    await server.stop()
  }

  @Test func sendsNoBodyToHeadAndWith304() async throws {
    let server = try HTTPServer(port: 0) { request in
      request.path == "/304"
        ? .init(status: 304, headers: [HTTPServer.Header("ETag", "\"x\"")]) : .text("four")
    }
    let connection = try WireConnection(port: server.port)
    let head = try await connection.request("HEAD", "/")
    #expect(head.headers["content-length"] == "4")
    let unchanged = try await connection.request("GET", "/304")
    #expect(unchanged.status == 304)
    #expect(unchanged.headers["etag"] == "\"x\"")
    // Had either sent a body, it would be read as the head of this answer.
    #expect(try await connection.request("GET", "/").text == "four")
    await server.stop()
  }

  @Test func twoHundredWaitingRequestsDoNotBlockEachOther() async throws {
    let all = Gate(200)
    let server = try HTTPServer(port: 0) { request in
      all.arrive()
      await all.passed()
      return .text(request.path)
    }
    let connections = try (0..<200).map { _ in try WireConnection(port: server.port) }
    for (number, connection) in connections.enumerated() { try connection.send("GET /\(number) HTTP/1.1\r\nHost: x\r\n\r\n") }
    for (number, connection) in connections.enumerated() { #expect(try await connection.answer().text == "/\(number)") }
    await server.stop()
  }

  @Test func aHeaderThatWouldBeSplitSendsNothing() async throws {
    let server = try HTTPServer(port: 0) { _ in .init(headers: [HTTPServer.Header("X-A", "1\r\nX-B: 2")], body: [1]) }
    let error = await #expect(throws: WireConnection.Failure.self) { try await WireConnection(port: server.port).request("GET", "/") }
    #expect(error?.code == 0)
    await server.stop()
  }
}
