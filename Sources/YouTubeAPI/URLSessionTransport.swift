import Foundation
import FoundationNetworking
import Synchronization

/// HTTP through Foundation's URLSession (libcurl): kept-alive connections, compressed answers, no cookies, no cache, no redirects to
/// other hosts.
public final class URLSessionTransport: HTTPTransport {
  public struct Limits: Sendable {
    /// Requests beyond it wait for a free connection; their timeout runs meanwhile.
    public var connectionsPerHost = 32
    /// No byte moves for so long, while connecting or later.
    public var idleTimeout: Duration = .seconds(10)
    /// Bytes of a decompressed body.
    public var maximumBodySize = 16 << 20

    public init() {}
  }

  private let session: URLSession
  private let exchanges: ExchangeTable
  private let idleTimeout: Duration
  private let maximumBodySize: Int
  // Foundation ends the process when an invalidated session is asked for a task.
  private let isClosed = Mutex(false)

  public init(limits: Limits = Limits()) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = max(1, limits.connectionsPerHost)
    configuration.timeoutIntervalForRequest = limits.idleTimeout.inSeconds
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    let queue = OperationQueue()
    queue.name = "tubeline.http"
    queue.maxConcurrentOperationCount = 1
    exchanges = ExchangeTable()
    maximumBodySize = limits.maximumBodySize
    idleTimeout = limits.idleTimeout
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: queue)
  }

  deinit { close() }

  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    guard let url = URL(string: request.url), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.host != nil
    else {
      throw TransportError(.invalidURL, "the base address is no http or https URL")
    }
    if Task.isCancelled { throw TransportError(.cancelled) }
    var message = URLRequest(url: url)
    message.timeoutInterval = min(idleTimeout, request.timeout).inSeconds
    for field in request.headers { message.setValue(field.value, forHTTPHeaderField: field.name) }
    return try await exchange(message, timeout: request.timeout).get()
  }

  private func exchange(_ message: URLRequest, timeout: Duration) async -> Exchange.Outcome {
    let exchange = Exchange(maximumBodySize: maximumBodySize)
    guard let task = isClosed.withLock({ $0 ? nil : session.dataTask(with: message) }) else {
      return .failure(TransportError(.cancelled, "the transport is closed"))
    }
    exchanges.insert(exchange, for: task)
    let deadline = Task {
      try await Task.sleep(for: timeout)
      exchange.fail(TransportError(.timedOut, "no complete answer within \(timeout)"))
      task.cancel()
    }
    defer {
      deadline.cancel()
      exchanges.remove(task)
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if exchange.begin(continuation) { task.resume() }
      }
    } onCancel: {
      exchange.fail(TransportError(.cancelled))
      task.cancel()
    }
  }

  /// Cancels what runs and closes the connections.
  public func close() {
    let isFirst = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    guard isFirst else { return }
    exchanges.failAll(TransportError(.cancelled, "the transport was closed"))
    session.invalidateAndCancel()
  }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
