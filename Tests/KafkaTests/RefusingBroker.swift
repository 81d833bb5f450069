import Foundation
import Glibc
import Synchronization

/// A broker that takes SASL handshakes and refuses every password: as much of the protocol as a client needs to get there
/// (https://kafka.apache.org/protocol#sasl_handshake).
final class RefusingBroker: Sendable {
  static let refusal = "Authentication failed during authentication due to invalid credentials"

  let port: UInt16
  private let listener: Int32
  private let received = Mutex<[UInt8]>([])

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 10) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in
      while case let connection = accept(descriptor, nil, nil), connection >= 0 {
        Thread.detachNewThread { [self] in serve(connection) }
      }
    }
  }

  /// Everything that clients have sent.
  var bytes: [UInt8] { received.withLock { $0 } }

  func close() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func serve(_ connection: Int32) {
    defer { Glibc.close(connection) }
    while let size = read(4, connection), let request = read(Int(number(size[...])), connection), request.count >= 8 {
      received.withLock { $0 += request }
      let answer = request[4..<8] + answer(to: number(request[0..<2]), version: number(request[2..<4]))
      let message = Self.bytes(Int32(answer.count)) + answer
      guard send(connection, message, message.count, Int32(MSG_NOSIGNAL)) == message.count else { return }
    }
  }

  private func answer(to key: UInt32, version: UInt32) -> [UInt8] {
    switch key {
    case 18 where version > 0: Self.bytes(Int16(35)) + Self.bytes(Int32(0))
    case 18:
      Self.bytes(Int16(0)) + Self.bytes(Int32(4))
        + [[18, 0, 0], [17, 0, 1], [36, 0, 0], [3, 0, 2]].joined().flatMap { Self.bytes(Int16($0)) }
    case 17: Self.bytes(Int16(0)) + Self.bytes(Int32(2)) + Self.text("PLAIN") + Self.text("SCRAM-SHA-512")
    default: Self.bytes(Int16(58)) + Self.text(Self.refusal) + Self.bytes(Int32(0))
    }
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

  private static func text(_ text: String) -> [UInt8] { bytes(Int16(text.utf8.count)) + Array(text.utf8) }

  private func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

  private func read(_ count: Int, _ connection: Int32) -> [UInt8]? {
    guard count <= 1 << 20 else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return recv(connection, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
  }
}
