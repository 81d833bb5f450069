import CMicrohttpd
import Dispatch
import Glibc
import Synchronization

/// What the callbacks of one daemon share.
final class DaemonContext: Sendable {
  let limits: HTTPServer.Limits
  let answer: @Sendable (HTTPServer.Request) -> HTTPServer.Answer
  let watch: ConnectionWatch
  private let state = Mutex(State())

  private struct State {
    var live: [ObjectIdentifier: Exchange] = [:]
    var isStopping = false
    var isOverdue = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  init(limits: HTTPServer.Limits, answer: @escaping @Sendable (HTTPServer.Request) -> HTTPServer.Answer) {
    self.limits = limits
    self.answer = answer
    watch = ConnectionWatch(limits: limits)
  }

  var isStopping: Bool { state.withLock { $0.isStopping } }

  func began(_ exchange: Exchange) { state.withLock { $0.live[ObjectIdentifier(exchange)] = exchange } }

  func ended(_ exchange: Exchange) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.live[ObjectIdentifier(exchange)] = nil
      guard state.live.isEmpty else { return nil }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Answers that would never end by themselves end now; the others may finish.
  func beginStopping() {
    let live = state.withLock { state in
      state.isStopping = true
      return Array(state.live.values)
    }
    for exchange in live where exchange.isEndless { exchange.interrupt() }
    watch.stop()
  }

  func interruptAll() {
    for exchange in state.withLock({ Array($0.live.values) }) { exchange.interrupt() }
  }

  /// Returns when no request is under way, or `giveUpDraining` was called, be it before.
  func drained() async {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { state in
        let waits = !state.live.isEmpty && !state.isOverdue
        if waits { state.waiter = continuation }
        return waits
      }
      if !waits { continuation.resume() }
    }
  }

  func giveUpDraining() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      state.isOverdue = true
      return state.waiter
    }
    waiter?.resume()
  }
}

/// The owner of one MHD_Daemon.
final class Daemon: @unchecked Sendable {
  // because the pointer is taken out under the lock, once, by whoever stops the daemon
  private let native: Mutex<UInt>
  private let context: DaemonContext
  private let queue = DispatchQueue(label: "tubeline.http-server.stop")

  init(
    listener: Listener, limits: HTTPServer.Limits, answer: @escaping @Sendable (HTTPServer.Request) -> HTTPServer.Answer
  ) throws(HTTPServer.StartError) {
    context = DaemonContext(limits: limits, answer: answer)
    let flags = tl_mhd_flags(listener.isIPv6 ? 1 : 0)
    let descriptor = listener.release()
    let shared = Unmanaged.passRetained(context)
    let daemon = tl_mhd_start(
      flags, descriptor, UInt32(clamping: limits.connections), max(1024, limits.headerBytes), Self.silence(limits), 1,
      accessRequested, shared.toOpaque(), requestStarted, requestCompleted, connectionChanged)
    guard let daemon else {
      let code = errno
      close(descriptor)
      shared.release()
      throw HTTPServer.StartError(code: code, description: "libmicrohttpd does not start: \(String(cString: strerror(code)))")
    }
    native = Mutex(UInt(bitPattern: daemon))
  }

  // The watch ends slow connections; the library's timeout, which knows whole seconds and takes 0 for none, ends silent streams.
  private static func silence(_ limits: HTTPServer.Limits) -> UInt32 {
    UInt32(clamping: max(1, max(limits.idleTimeout, limits.requestTimeout, limits.answerTimeout).components.seconds + 1))
  }

  func stop(grace: Duration) async {
    guard let daemon = take() else { return }
    refuseConnections(daemon)
    context.beginStopping()
    let deadline =
      DispatchTime.now()
      + .nanoseconds(Int(clamping: grace.components.seconds * 1_000_000_000 + grace.components.attoseconds / 1_000_000_000))
    let timer = DispatchWorkItem { [context] in context.giveUpDraining() }
    queue.asyncAfter(deadline: deadline, execute: timer)
    await context.drained()
    timer.cancel()
    await withCheckedContinuation { continuation in
      queue.async {
        self.finish(daemon)
        continuation.resume()
      }
    }
  }

  func stopNow() {
    guard let daemon = take() else { return }
    refuseConnections(daemon)
    context.beginStopping()
    finish(daemon)
  }

  private func take() -> UInt? {
    native.withLock { pointer in
      defer { pointer = 0 }
      return pointer == 0 ? nil : pointer
    }
  }

  private func refuseConnections(_ daemon: UInt) {
    let listener = MHD_quiesce_daemon(OpaquePointer(bitPattern: daemon))
    if listener >= 0 { close(listener) }
  }

  // MHD aborts the process when a connection is still suspended while its daemon stops.
  private func finish(_ daemon: UInt) {
    context.interruptAll()
    MHD_stop_daemon(OpaquePointer(bitPattern: daemon))
    Unmanaged.passUnretained(context).release()
  }
}

// MARK: Callbacks of libmicrohttpd, on its thread

private func connectionChanged(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ code: MHD_ConnectionNotificationCode
) {
  guard let context, let connection else { return }
  let watch = Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue().watch
  switch code {
  case .CONNECTION_NOTIFY_STARTED: watch.opened(UInt(bitPattern: connection), descriptor: tl_mhd_connection_fd(connection))
  default: watch.closed(UInt(bitPattern: connection))
  }
}

private func requestStarted(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let context, let target, let connection else { return nil }
  let shared = Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
  let exchange = Exchange(context: shared, connection: connection, target: String(cString: target))
  shared.began(exchange)
  shared.watch.receives(UInt(bitPattern: connection))
  return Unmanaged.passRetained(exchange).toOpaque()
}

private func requestCompleted(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ code: MHD_RequestTerminationCode
) {
  guard let slot, let pointer = slot.pointee else { return }
  slot.pointee = nil
  let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
  exchange.completed()
}

private func accessRequested(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
  _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?, _ uploadSize: UnsafeMutablePointer<Int>?,
  _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let slot, let pointer = slot.pointee, let method, let uploadSize else { return .NO }
  let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
  let received = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
  uploadSize.pointee = 0
  return exchange.advance(method: method, upload: received)
}
