import Glibc

/// A TCP port of this host that is free now, for programs that take 0 for none.
public enum FreePort {
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  public static func find() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw Failure(description: "no free port: \(String(cString: strerror(errno)))") }
    return UInt16(bigEndian: address.sin_port)
  }
}
