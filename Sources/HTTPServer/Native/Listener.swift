import Glibc

/// A bound, listening TCP socket, owned until `release` hands it to the daemon.
final class Listener {
  private var descriptor: Int32
  let port: Int
  let isIPv6: Bool

  init(host: String, port: Int) throws(HTTPServer.StartError) {
    guard (0...65535).contains(port) else {
      throw HTTPServer.StartError(code: EINVAL, description: "port \(port) is not within 0...65535")
    }
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &found)
    guard code == 0, let found else {
      throw HTTPServer.StartError(code: code, description: "cannot resolve \(host): \(String(cString: gai_strerror(code)))")
    }
    defer { freeaddrinfo(found) }
    let place = Self.preferred(found)
    descriptor = try Self.listen(on: place.pointee, name: "\(host):\(port)")
    isIPv6 = place.pointee.ai_family == AF_INET6
    self.port = Self.boundPort(of: descriptor)
  }

  // A name such as localhost may resolve to ::1 first; clients of a printed 127.0.0.1 address expect IPv4.
  private static func preferred(_ list: UnsafeMutablePointer<addrinfo>) -> UnsafeMutablePointer<addrinfo> {
    var candidate: UnsafeMutablePointer<addrinfo>? = list
    while let place = candidate {
      if place.pointee.ai_family == AF_INET { return place }
      candidate = place.pointee.ai_next
    }
    return list
  }

  private static func listen(on place: addrinfo, name: String) throws(HTTPServer.StartError) -> Int32 {
    let descriptor = socket(place.ai_family, place.ai_socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), place.ai_protocol)
    var on: Int32 = 1
    guard descriptor >= 0, setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size)) == 0,
      bind(descriptor, place.ai_addr, place.ai_addrlen) == 0, Glibc.listen(descriptor, 1024) == 0
    else {
      let code = errno
      if descriptor >= 0 { close(descriptor) }
      throw HTTPServer.StartError(code: code, description: "cannot listen on \(name): \(String(cString: strerror(code)))")
    }
    return descriptor
  }

  private static func boundPort(of descriptor: Int32) -> Int {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
      // sin_port and sin6_port lie at the same place.
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { Int(UInt16(bigEndian: $0.pointee.sin_port)) }
    }
  }

  /// Gives the descriptor away: the caller closes it.
  func release() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
