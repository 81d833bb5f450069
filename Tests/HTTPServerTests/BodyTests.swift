import Glibc
import TestSupport
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1))) struct BodyTests {
  @Test func resetIsSeenAsReset() async throws {
    let server = try HTTPServer(port: 0) { _ in .reset }
    let error = await #expect(throws: WireConnection.Failure.self) { try await WireConnection(port: server.port).request("GET", "/") }
    #expect(error?.code == ECONNRESET)
    await server.stop()
  }

  @Test func closeIsSeenAsEnd() async throws {
    let server = try HTTPServer(port: 0) { _ in .close }
    let error = await #expect(throws: WireConnection.Failure.self) { try await WireConnection(port: server.port).request("GET", "/") }
    #expect(error?.code == 0)
    await server.stop()
  }

  @Test(arguments: [
    ("Host: y", 400), ("Content-Length: 2\r\nContent-Length: 40", 400), ("Content-Length: 40\r\nContent-Length: 2", 400),
    ("Content-Length: 7\r\nTransfer-Encoding: chunked", 400), ("Transfer-Encoding: gzip", 501),
    ("Content-Length: 2\r\nTransfer-Encoding: xchunked", 501), ("Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip", 501),
  ])
  func aBodyWhoseEndIsInDoubtIsRefusedAndTheConnectionEnds(_ headers: String, _ status: Int) async throws {
    let server = try HTTPServer(port: 0) { _ in .text("taken") }
    let connection = try WireConnection(port: server.port)
    try connection.send("POST / HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\r\n{}GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(try await connection.answer().status == status)
    #expect((try? await connection.remainder()) ?? [] == [])
    await server.stop()
  }

  @Test func oneLengthThatIsSaidTwiceIsNoDoubt() async throws {
    let server = try HTTPServer(port: 0) { .text(String(decoding: $0.body, as: UTF8.self)) }
    let connection = try WireConnection(port: server.port)
    try connection.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}")
    #expect(try await connection.answer().text == "{}")
    await server.stop()
  }

  @Test func truncatedBodyEndsBeforeItsAnnouncedLength() async throws {
    let bytes = [UInt8](repeating: 7, count: 50_000)
    let server = try HTTPServer(port: 0) { _ in .init(body: .truncated(bytes, length: 90_000)) }
    let answer = try await WireConnection(port: server.port).request("GET", "/")
    #expect(answer.headers["content-length"] == "90000")
    #expect(!answer.isComplete)
    #expect(answer.body == bytes)
    await server.stop()
  }

  @Test func hangIsSilentUntilTheServerStops() async throws {
    let arrived = Gate()
    let server = try HTTPServer(
      port: 0,
      answer: { request in
        if request.path == "/hang" {
          arrived.arrive()
          return .now(.hang)
        }
        return .now(.text("on"))
      })
    let silent = try WireConnection(port: server.port)
    try silent.send("GET /hang HTTP/1.1\r\nHost: x\r\n\r\n")
    await arrived.passed()
    #expect(try await WireConnection(port: server.port).request("GET", "/").text == "on")
    await server.stop(grace: .seconds(30))
    let error = await #expect(throws: WireConnection.Failure.self) { try await silent.answer() }
    #expect(error?.code == 0)
  }

  @Test func hangEndsAtItsLimit() async throws {
    var limits = HTTPServer.Limits()
    limits.hang = .seconds(0)
    let server = try HTTPServer(port: 0, limits: limits, answer: { _ in .now(.hang) })
    let error = await #expect(throws: WireConnection.Failure.self) { try await WireConnection(port: server.port).request("GET", "/") }
    #expect(error?.code == 0)
    await server.stop()
  }

  @Test func streamSendsChunksAsTheyCome() async throws {
    let (stream, producer) = AsyncStream.makeStream(of: [UInt8].self)
    let server = try HTTPServer(port: 0) { _ in
      .init(headers: [HTTPServer.Header("Content-Type", "text/event-stream")], body: .stream(stream))
    }
    let connection = try WireConnection(port: server.port)
    try connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    for number in 0..<100 { producer.yield(Array("data: \(number)\n\n".utf8)) }
    producer.yield([UInt8](repeating: 120, count: 300_000))
    producer.finish()
    let answer = try await connection.answer()
    #expect(answer.isComplete)
    #expect(answer.text == (0..<100).map { "data: \($0)\n\n" }.joined() + String(repeating: "x", count: 300_000))
    await server.stop()
  }

  @Test func stopEndsAStreamThatWaitsForItsNextChunk() async throws {
    let (stream, producer) = AsyncStream.makeStream(of: [UInt8].self)
    let ended = Gate()
    producer.onTermination = { _ in ended.arrive() }
    let arrived = Gate()
    let server = try HTTPServer(port: 0) { _ in
      arrived.arrive()
      return .init(body: .stream(stream))
    }
    let connection = try WireConnection(port: server.port)
    try connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    await arrived.passed()
    // Longer than the test may last: only an interruption ends the stream in time.
    await server.stop(grace: .seconds(3_600))
    await ended.passed()
  }
}
