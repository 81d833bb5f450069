import Foundation
import Glibc
import Synchronization

/// A server of one thread per connection that answers with raw bytes, right or wrong.
final class RawServer: Sendable {
  enum Action: Sendable {
    case send(String, close: Bool = false)
    case sendBytes([UInt8], close: Bool = false)
    /// Sends a TCP reset.
    case reset
    /// Answers, and sends a TCP reset when it is told to.
    case sendThenReset(String, when: DispatchSemaphore)
    /// Answers nothing until the client goes away.
    case hang
  }

  private struct State {
    var heads: [String] = []
    var connections = 0
    var closed = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let bound: BoundPort
  private let respond: @Sendable (_ head: String) -> Action
  private let state = Mutex(State())

  init(_ respond: @escaping @Sendable (_ head: String) -> Action) throws {
    self.respond = respond
    bound = try BoundPort()
    let bound = bound
    guard listen(bound.descriptor, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(bound.descriptor, nil, nil)
        guard connection >= 0, let server = self else { return }
        Thread.detachNewThread { server.serve(connection) }
      }
    }
  }

  // Wakes the thread that accepts; with it goes the last reference to the port.
  deinit { shutdown(bound.descriptor, Int32(SHUT_RDWR)) }

  var port: UInt16 { bound.port }
  var url: String { "http://127.0.0.1:\(port)" }
  var heads: [String] { state.withLock(\.heads) }
  var connections: Int { state.withLock(\.connections) }

  /// Returns when a client has closed a connection.
  func waitForClose() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.closed > 0 { return true }
        state.waiters.append(continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  private func serve(_ connection: Int32) {
    state.withLock { $0.connections += 1 }
    defer { finish(connection) }
    while let head = readHead(connection) {
      state.withLock { $0.heads.append(head) }
      switch respond(head) {
      case .send(let text, let closes):
        write(connection, Array(text.utf8))
        if closes { return }
      case .sendBytes(let bytes, let closes):
        write(connection, bytes)
        if closes { return }
      case .reset: return resetWhenClosed(connection)
      case .sendThenReset(let text, let moment):
        write(connection, Array(text.utf8))
        moment.wait()
        return resetWhenClosed(connection)
      case .hang: continue
      }
    }
  }

  private func resetWhenClosed(_ connection: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  private func finish(_ connection: Int32) {
    close(connection)
    let waiters = state.withLock { state in
      state.closed += 1
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  private func readHead(_ connection: Int32) -> String? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      head.append(byte)
    }
    return String(decoding: head, as: UTF8.self)
  }

  private func write(_ connection: Int32, _ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      sent += count
    }
  }
}

/// A TCP port of this machine, taken as long as this lives. Unless a server listens on it, it refuses connections.
final class BoundPort: Sendable {
  let descriptor: Int32
  let port: UInt16

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }
}
