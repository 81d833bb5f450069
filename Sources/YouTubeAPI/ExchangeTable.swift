import Foundation
import FoundationNetworking
import Synchronization

/// The exchanges under way, which URLSession reports to by the number of the task.
final class ExchangeTable: NSObject, URLSessionDataDelegate {
  private let running = Mutex<[Int: Exchange]>([:])

  func insert(_ exchange: Exchange, for task: URLSessionTask) { running.withLock { $0[task.taskIdentifier] = exchange } }

  func remove(_ task: URLSessionTask) { running.withLock { _ = $0.removeValue(forKey: task.taskIdentifier) } }

  func failAll(_ error: TransportError) {
    for exchange in running.withLock({ Array($0.values) }) { exchange.fail(error) }
  }

  var count: Int { running.withLock(\.count) }

  private func exchange(of task: URLSessionTask) -> Exchange? { running.withLock { $0[task.taskIdentifier] } }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let exchange = exchange(of: dataTask), !exchange.append(data) else { return }
    exchange.fail(TransportError(.bodyTooLarge, "the answer is larger than is read"))
    dataTask.cancel()
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let exchange = exchange(of: task) else { return }
    if let error {
      exchange.fail(TransportError(error, hasAnswer: task.response != nil))
    } else if let response = task.response as? HTTPURLResponse {
      let headers = response.allHeaderFields.compactMap { name, value in
        (name as? String).map { HTTPField($0, value as? String ?? "\(value)") }
      }
      exchange.succeed(status: response.statusCode, headers: headers)
    } else {
      exchange.fail(TransportError(.malformedResponse, "the answer is no HTTP"))
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let origin = task.originalRequest?.url
    let isSameOrigin = request.url?.host == origin?.host && request.url?.port == origin?.port && request.url?.scheme == origin?.scheme
    completionHandler(isSameOrigin ? request : nil)
  }
}

extension TransportError {
  /// A URLSession error. libcurl's own words have to agree before a request counts as unsent: with several addresses of a host, the error
  /// number may stem from one that was tried before the one that was reached.
  init(_ error: any Error, hasAnswer: Bool) {
    let message = (error as NSError).localizedDescription
    guard let code = (error as? URLError)?.code else {
      self.init(.other, message)
      return
    }
    let isUnconnected = !hasAnswer && (message.hasPrefix("Failed to connect") || message.hasPrefix("Couldn't connect"))
    switch code {
    case .cannotFindHost where !hasAnswer, .dnsLookupFailed where !hasAnswer: self.init(.nameResolution, message)
    case .cannotConnectToHost where isUnconnected: self.init(.connectionRefused, message)
    case .cannotConnectToHost, .networkConnectionLost: self.init(.connectionLost, message)
    case .timedOut: self.init(.timedOut, message)
    case .cancelled: self.init(.cancelled, message)
    // The address was checked before: libcurl's "unsupported protocol" is about an answer without an HTTP head.
    case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData, .unsupportedURL:
      self.init(.malformedResponse, message)
    case .badURL where !hasAnswer: self.init(.invalidURL, message)
    default: self.init(.other, message)
    }
  }
}
