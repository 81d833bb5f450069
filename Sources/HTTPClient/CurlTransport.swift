public import YouTubeAPI

/// HTTP through libcurl: kept-alive connections (HTTP/2 where the server has it), compressed answers, no cookies, no cache, no redirects.
///
/// All transfers run on one thread, which sleeps until a socket or a request wakes it.
public final class CurlTransport: HTTPTransport {
  public struct Limits: Sendable {
    /// Requests beyond it wait for a free connection; their timeout runs meanwhile.
    public var connectionsPerHost = 32
    /// No byte moves for so long, while connecting or later.
    public var idleTimeout: Duration = .seconds(10)
    /// Bytes of a decompressed body.
    public var maximumBodySize = 16 << 20

    public init() {}
  }

  private let limits: Limits
  private let loop: TransferLoop

  public init(limits: Limits = Limits()) {
    self.limits = limits
    loop = TransferLoop(connectionsPerHost: max(1, limits.connectionsPerHost))
  }

  deinit { loop.close() }

  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let url = request.url
    guard Self.isUsable(url) else { throw TransportError(.invalidURL, "the base address is no http or https URL") }
    if Task.isCancelled { throw .cancelledInTime }
    let exchange = Exchange(request, url: url, limits: limits)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if exchange.begin(continuation) { loop.submit(exchange) }
      }
    } onCancel: {
      exchange.cancelUnlessStarted()
      loop.cancel(exchange)
    }
    return try outcome.get()
  }

  /// Cancels what runs and closes the connections.
  public func close() { loop.close() }

  private static func isUsable(_ url: String) -> Bool {
    let rest: Substring
    if url.lowercased().hasPrefix("https://") {
      rest = url.dropFirst(8)
    } else if url.lowercased().hasPrefix("http://") {
      rest = url.dropFirst(7)
    } else {
      return false
    }
    // What libcurl's parser would take to be a part of the request line.
    return rest.first.map { $0 != "/" && $0 != "?" } ?? false && !url.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
  }
}
