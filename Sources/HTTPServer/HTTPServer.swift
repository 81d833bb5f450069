import Synchronization

/// An HTTP/1.1 server on libmicrohttpd: keep-alive, bounded bodies, handlers that may take their time without holding a thread.
///
/// It listens from `init` on, and `stop` ends it gracefully; deallocation ends it at once.
public final class HTTPServer: Sendable {
  /// What the server takes before it refuses: 413 for a larger body, 414 or 431 for a larger header, no accept beyond the connections.
  /// A client that is slower than the times allow is disconnected.
  public struct Limits: Sendable {
    public var bodyBytes = 1 << 20
    /// Request line and header fields together.
    public var headerBytes = 32 << 10
    public var connections = 4096
    /// How long a request may take to arrive, header and body, counted from its first line; a new connection's first line, too.
    public var requestTimeout: Duration = .seconds(30)
    /// How long a client may take to read an answer of known length.
    public var answerTimeout: Duration = .seconds(120)
    /// How long a connection is kept for the next request.
    public var idleTimeout: Duration = .seconds(120)
    /// How long a deliberately silent answer (`Body.hang`) is held.
    public var hang: Duration = .seconds(600)
    /// What answers a larger body; nil is a sentence of plain text.
    public var tooLarge: Response?

    public init() {}
  }

  /// The address could not be resolved, bound or listened on; `code` is errno's value, or getaddrinfo's.
  public struct StartError: Error, CustomStringConvertible {
    public let code: Int32
    public let description: String
  }

  /// The port listened on, the system's choice when 0 was asked for.
  public let port: Int
  public let host: String
  private let daemon: Daemon

  /// Serves with a function that answers at once or says how to answer later. It is called on the server's thread: it must not block.
  public init(host: String = "127.0.0.1", port: Int, limits: Limits = Limits(), answer: @escaping @Sendable (Request) -> Answer) throws {
    let listener = try Listener(host: host, port: port)
    self.host = host
    self.port = listener.port
    daemon = try Daemon(listener: listener, limits: limits, answer: answer)
  }

  /// Serves with an asynchronous function; its task is cancelled when the server stops.
  public convenience init(
    host: String = "127.0.0.1", port: Int, limits: Limits = Limits(), handler: @escaping @Sendable (Request) async -> Response
  ) throws {
    try self.init(host: host, port: port, limits: limits) { request in .later { await handler(request) } }
  }

  /// `http://host:port`, an IPv6 address in brackets.
  public var address: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  /// Accepts no more connections, gives running requests `grace` to be answered, then closes all. Returns when no callback runs any more.
  public func stop(grace: Duration = .seconds(5)) async { await daemon.stop(grace: grace) }

  deinit { daemon.stopNow() }
}
