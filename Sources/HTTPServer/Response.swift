extension HTTPServer {
  /// One answer. `Content-Length`, `Date` and `Connection` are the server's own.
  public struct Response: Sendable {
    public var status: Int
    public var headers: [Header]
    public var body: Body

    public init(status: Int = 200, headers: [Header] = [], body: [UInt8] = []) {
      self.status = status
      self.headers = headers
      self.body = .bytes(body)
    }

    public init(status: Int = 200, headers: [Header] = [], body: Body) {
      self.status = status
      self.headers = headers
      self.body = body
    }

    public static func text(_ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8") -> Response {
      Response(status: status, headers: [Header("Content-Type", type)], body: Array(text.utf8))
    }

    /// Replies nothing: the connection is reset (RST), closed, or left open in silence.
    public static let reset = Response(body: .reset)
    public static let close = Response(body: .close)
    public static let hang = Response(body: .hang)
  }

  /// What follows the header of an answer, or the fault that takes its place.
  public enum Body: Sendable {
    case bytes([UInt8])
    /// Chunks as they come, for server-sent events; the client that reads slowly holds the producer's buffer, not the server's.
    case stream(AsyncStream<[UInt8]>)
    /// Announces `length` bytes, sends these, and closes the connection.
    case truncated([UInt8], length: Int)
    case reset
    case close
    case hang
  }

  /// A handler's answer: at hand, or to be awaited while the connection is set aside.
  public enum Answer: Sendable {
    case now(Response)
    case later(@Sendable () async -> Response)
  }
}
