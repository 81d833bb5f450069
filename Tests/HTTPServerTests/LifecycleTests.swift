import Glibc
import TestSupport
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1))) struct LifecycleTests {
  @Test func stopLetsRunningRequestsFinishAndAcceptsNoMore() async throws {
    let arrived = Gate()
    let gate = Gate()
    let server = try HTTPServer(port: 0) { _ in
      arrived.arrive()
      await gate.passed()
      return .text("finished")
    }
    let connection = try WireConnection(port: server.port)
    try connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    await arrived.passed()
    async let stopped: Void = server.stop(grace: .seconds(30))
    gate.arrive()
    #expect(try await connection.answer().text == "finished")
    await stopped
    let port = server.port
    let error = #expect(throws: WireConnection.Failure.self) { _ = try WireConnection(port: port) }
    #expect(error?.code == ECONNREFUSED)
  }

  @Test func stopCancelsWhatOutlastsTheGrace() async throws {
    let arrived = Gate()
    let cancelled = Gate()
    let server = try HTTPServer(port: 0) { _ in
      arrived.arrive()
      await withTaskCancellationHandler {
        await cancelled.passed()
      } onCancel: {
        cancelled.arrive()
      }
      return .text("too late")
    }
    let connection = try WireConnection(port: server.port)
    try connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    await arrived.passed()
    await server.stop(grace: .milliseconds(1))
    await #expect(throws: WireConnection.Failure.self) { try await connection.answer() }
  }

  @Test func stopTwiceAndStopWithoutRequestsReturn() async throws {
    let server = try HTTPServer(port: 0) { _ in .text("") }
    await server.stop()
    await server.stop()
  }

  @Test func deallocationFreesThePort() async throws {
    var server: HTTPServer? = try HTTPServer(port: 0) { _ in .text("") }
    let port = server?.port ?? 0
    server = nil
    let again = try HTTPServer(port: port) { _ in .text("again") }
    #expect(try await WireConnection(port: port).request("GET", "/").text == "again")
    await again.stop()
  }

  @Test func aPortInUseIsAnErrorThatNamesIt() async throws {
    let first = try HTTPServer(port: 0) { _ in .text("") }
    let port = first.port
    let error = #expect(throws: HTTPServer.StartError.self) { _ = try HTTPServer(port: port) { _ in .text("") } }
    #expect(error?.code == EADDRINUSE)
    #expect(error?.description.contains("127.0.0.1:\(port)") == true)
    await first.stop()
  }

  @Test(arguments: [("no.such.host.invalid", 0), ("127.0.0.1", 65_536), ("127.0.0.1", -1), ("203.0.113.7", 0)])
  func anUnusableAddressIsAnError(_ host: String, _ port: Int) {
    #expect(throws: HTTPServer.StartError.self) { _ = try HTTPServer(host: host, port: port) { _ in .text("") } }
  }

  @Test func listensOnAHostName() async throws {
    let server = try HTTPServer(host: "localhost", port: 0) { _ in .text("named") }
    #expect(server.address == "http://localhost:\(server.port)")
    #expect(try await WireConnection(port: server.port).request("GET", "/").text == "named")
    await server.stop()
  }
}
