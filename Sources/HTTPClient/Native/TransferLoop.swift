import CCurl
import Glibc
import Synchronization
import YouTubeAPI

/// The thread that runs all transfers of one transport.
final class TransferLoop: @unchecked Sendable {
  // because the inbox is locked, curl_multi_wakeup may be called from any thread, and all else is touched by the loop's thread only
  private let multi: UnsafeMutableRawPointer?
  private let inbox = Mutex(Inbox())
  private var running: [ObjectIdentifier: EasyHandle] = [:]
  private var idle: [EasyHandle] = []

  private struct Inbox {
    var submitted: [Exchange] = []
    var cancelled: [Exchange] = []
    var isClosed = false
  }

  private static let initialised: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
  private static let mostIdle = 64

  init(connectionsPerHost: Int) {
    multi = Self.initialised ? curl_multi_init() : nil
    guard let multi else { return }
    tl_curl_set_multi_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connectionsPerHost)
    tl_curl_set_multi_long(multi, CURLMOPT_MAXCONNECTS, connectionsPerHost)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    if pthread_create(&thread, nil, runTransferLoop, context.toOpaque()) == 0 {
      pthread_detach(thread)
    } else {
      context.release()
      inbox.withLock { $0.isClosed = true }
      curl_multi_cleanup(multi)
    }
  }

  func submit(_ exchange: Exchange) {
    let isOpen = inbox.withLock { inbox in
      guard !inbox.isClosed, multi != nil else { return false }
      inbox.submitted.append(exchange)
      // Under the lock, because the loop frees the handle once it has seen that it is closed.
      curl_multi_wakeup(multi)
      return true
    }
    if !isOpen { exchange.finish(.failure(.cancelledInTime)) }
  }

  func cancel(_ exchange: Exchange) {
    inbox.withLock { inbox in
      guard !inbox.isClosed else { return }
      inbox.cancelled.append(exchange)
      curl_multi_wakeup(multi)
    }
  }

  func close() {
    inbox.withLock { inbox in
      guard !inbox.isClosed else { return }
      inbox.isClosed = true
      curl_multi_wakeup(multi)
    }
  }

  fileprivate func run() {
    guard let multi else { return }
    while true {
      let news = inbox.withLock { inbox in
        defer {
          inbox.submitted = []
          inbox.cancelled = []
        }
        return inbox
      }
      for exchange in news.submitted { start(exchange, on: multi) }
      for exchange in news.cancelled { stop(exchange, on: multi) }
      if news.isClosed { break }
      var count: Int32 = 0
      curl_multi_perform(multi, &count)
      if completeFinished(on: multi) == 0 { curl_multi_poll(multi, nil, 0, 60_000, nil) }
    }
    end(multi)
  }

  private func start(_ exchange: Exchange, on multi: UnsafeMutableRawPointer) {
    // Its cancellation may have overtaken it.
    guard exchange.start() else { return }
    guard let handle = idle.popLast() ?? EasyHandle() else {
      exchange.finish(.failure(TransportError(.other, "libcurl has no memory for a request")))
      return
    }
    handle.prepare(exchange)
    let code = curl_multi_add_handle(multi, handle.pointer)
    guard code == CURLM_OK else {
      handle.complete(CURLE_FAILED_INIT)
      return
    }
    running[ObjectIdentifier(exchange)] = handle
  }

  private func stop(_ exchange: Exchange, on multi: UnsafeMutableRawPointer) {
    guard let handle = running.removeValue(forKey: ObjectIdentifier(exchange)) else { return }
    handle.cancel()
    curl_multi_remove_handle(multi, handle.pointer)
    keep(handle)
  }

  private func completeFinished(on multi: UnsafeMutableRawPointer) -> Int {
    var count = 0
    var code = CURLE_OK
    while let easy = tl_curl_next_finished(multi, &code) {
      count += 1
      curl_multi_remove_handle(multi, easy)
      guard let context = tl_curl_get_private(easy) else { continue }
      let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
      if let exchange = handle.exchange { running[ObjectIdentifier(exchange)] = nil }
      handle.complete(code)
      keep(handle)
    }
    return count
  }

  private func keep(_ handle: EasyHandle) {
    if idle.count < Self.mostIdle { idle.append(handle) }
  }

  private func end(_ multi: UnsafeMutableRawPointer) {
    for handle in running.values {
      handle.cancel("the transport was closed")
      curl_multi_remove_handle(multi, handle.pointer)
    }
    running = [:]
    idle = []
    // Submissions and cancellations look at `isClosed` under the same lock, so none of them touches the handle any more.
    inbox.withLock { _ in _ = curl_multi_cleanup(multi) }
  }
}

private func runTransferLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
