/// HTTP through Foundation's URLSession (libcurl): kept-alive connections, compressed answers, no cookies, no cache.
public final class URLSessionTransport: HTTPTransport {
  public struct Limits: Sendable {
    public var connectionsPerHost = 32
    /// No byte moves for so long, while connecting or later.
    public var idleTimeout: Duration = .seconds(10)
    /// Bytes of a decompressed body.
    public var maximumBodySize = 16 << 20

    public init() {}
  }

  public init(limits: Limits = Limits()) {}

  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse { throw TransportError(.other) }

  /// Cancels what runs and closes the connections.
  public func close() {}
}
