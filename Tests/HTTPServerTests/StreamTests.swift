import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(1))) struct StreamTests {
  private static let readers = 100

  /// Streams that the test feeds, one for each request.
  private final class Feeds: Sendable {
    let producers = Mutex<[AsyncStream<[UInt8]>.Continuation]>([])
    let opened: Gate
    let left: Gate

    init(_ count: Int) {
      opened = Gate(count)
      left = Gate(count)
    }

    func open() -> AsyncStream<[UInt8]> {
      let (stream, producer) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(64))
      producer.onTermination = { _ in self.left.arrive() }
      producers.withLock { $0.append(producer) }
      opened.arrive()
      return stream
    }

    func send(_ bytes: [UInt8]) { for producer in producers.withLock({ $0 }) { producer.yield(bytes) } }
  }

  private static func server(_ feeds: Feeds) throws -> HTTPServer {
    try HTTPServer(port: 0) { request in
      request.path == "/events" ? .now(.init(body: .stream(feeds.open()))) : .now(.text("at once"))
    }
  }

  private static func open(_ count: Int, on server: HTTPServer) throws -> [WireConnection] {
    try (0..<count).map { _ in
      let connection = try WireConnection(port: server.port)
      try connection.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
      return connection
    }
  }

  @Test func readersThatDoNotReadHoldUpNeitherOthersNorTheEnd() async throws {
    let feeds = Feeds(Self.readers)
    let server = try Self.server(feeds)
    let idle = try Self.open(Self.readers, on: server)
    await feeds.opened.passed()
    // More than the buffers of their connections take.
    for _ in 0..<64 { feeds.send([UInt8](repeating: 0x61, count: 64 << 10)) }
    #expect(try await WireConnection(port: server.port).request("GET", "/").text == "at once")
    await server.stop(grace: .seconds(1))
    await feeds.left.passed()
    withExtendedLifetime(idle) {}
  }

  @Test func aClientThatLeavesEndsItsStream() async throws {
    let feeds = Feeds(20)
    let server = try Self.server(feeds)
    var connections = try Self.open(20, on: server)
    await feeds.opened.passed()
    connections.removeAll()
    // What is written to a closed connection is answered by a reset, which the next writing finds.
    let beating = Task {
      while !Task.isCancelled {
        feeds.send(Array(": \n\n".utf8))
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    await feeds.left.passed()
    beating.cancel()
    await server.stop()
  }
}
