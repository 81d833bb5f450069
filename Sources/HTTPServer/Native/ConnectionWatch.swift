import Dispatch
import Glibc
import Synchronization

/// Ends connections whose client is too slow. libmicrohttpd's own timeout counts from the last byte, so a client that sends one byte now
/// and then would keep its connection for ever.
final class ConnectionWatch: Sendable {
  private struct Entry {
    let descriptor: Int32
    /// nil while the server is the one to act.
    var deadline: DispatchTime?
    /// A request is arriving.
    var isReceiving = false
  }

  private struct State {
    var connections: [UInt: Entry] = [:]
    var isTicking = false
    var isStopped = false
  }

  private let limits: HTTPServer.Limits
  private let tick: DispatchTimeInterval
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "tubeline.http-server.watch")

  init(limits: HTTPServer.Limits) {
    self.limits = limits
    // As fine as the shortest time needs, and no finer.
    let shortest = min(limits.requestTimeout, limits.idleTimeout, limits.answerTimeout).milliseconds
    tick = .milliseconds(min(1000, max(10, shortest / 4)))
  }

  func opened(_ connection: UInt, descriptor: Int32) {
    let begins = state.withLock { state in
      state.connections[connection] = Entry(descriptor: descriptor, deadline: .now() + limits.requestTimeout.dispatch)
      defer { state.isTicking = true }
      return !state.isTicking && !state.isStopped
    }
    if begins { schedule() }
  }

  /// Comes before the descriptor is closed, so none that belongs to somebody else by now is ever touched.
  func closed(_ connection: UInt) { state.withLock { $0.connections[connection] = nil } }

  /// A request line has come: header and body have to follow in time.
  func receives(_ connection: UInt) { set(connection, .now() + limits.requestTimeout.dispatch, isReceiving: true) }

  /// The request is complete; what comes next takes the time it takes.
  func works(_ connection: UInt) { set(connection, nil) }

  /// An answer of known length is on its way: the client has to read it in time.
  func answers(_ connection: UInt) { set(connection, .now() + limits.answerTimeout.dispatch) }

  /// The answer is sent: the next request may begin within the idle time.
  func rests(_ connection: UInt) { set(connection, .now() + limits.idleTimeout.dispatch) }

  /// Ends the requests that are still arriving: they would be refused, and a slow one would hold up the server's end.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      for entry in state.connections.values where entry.isReceiving { shutdown(entry.descriptor, Int32(SHUT_RDWR)) }
    }
  }

  private func set(_ connection: UInt, _ deadline: DispatchTime?, isReceiving: Bool = false) {
    state.withLock { state in
      guard let entry = state.connections[connection] else { return }
      state.connections[connection] = Entry(descriptor: entry.descriptor, deadline: deadline, isReceiving: isReceiving)
    }
  }

  private func schedule() {
    queue.asyncAfter(deadline: .now() + tick) { [weak self] in self?.look() }
  }

  private func look() {
    let now = DispatchTime.now()
    let goesOn = state.withLock { state in
      for (connection, entry) in state.connections where entry.deadline.map({ $0 <= now }) ?? false {
        // libmicrohttpd sees the end, and closes. Under the lock, because `closed` must not come between.
        shutdown(entry.descriptor, Int32(SHUT_RDWR))
        state.connections[connection]?.deadline = nil
      }
      state.isTicking = !state.connections.isEmpty && !state.isStopped
      return state.isTicking
    }
    if goesOn { schedule() }
  }
}

extension Duration {
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(clamping: seconds.multipliedReportingOverflow(by: 1000).partialValue) + Int(attoseconds / 1_000_000_000_000_000)
  }

  fileprivate var dispatch: DispatchTimeInterval { .milliseconds(milliseconds) }
}
