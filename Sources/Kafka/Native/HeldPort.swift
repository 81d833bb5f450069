import Glibc

/// Keeps a port of 127.0.0.1 free, and connections to it refused, as long as it lives.
///
/// A mock broker that is down has given its port back. If some connection of this machine takes it, be it one to the port itself, librdkafka
/// aborts the process when the broker comes up again.
final class HeldPort: Sendable {
  private let descriptor: Int32

  /// `nil` when the port cannot be had.
  init?(_ port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    // The connections of before may still linger in the system. Afterwards nobody may share the port.
    Self.share(descriptor, true)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isBound else {
      close(descriptor)
      return nil
    }
    Self.share(descriptor, false)
  }

  deinit { close(descriptor) }

  /// The mock broker, whose listener shares, may have the port beside this; connections that look for a free one still pass it by.
  func letShare() { Self.share(descriptor, true) }

  private static func share(_ descriptor: Int32, _ isShared: Bool) {
    var option: Int32 = isShared ? 1 : 0
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &option, socklen_t(MemoryLayout<Int32>.size))
  }
}
