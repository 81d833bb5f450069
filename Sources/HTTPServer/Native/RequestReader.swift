import CMicrohttpd

/// Copies a request out of libmicrohttpd's memory.
enum RequestReader {
  static func request(
    of connection: OpaquePointer, method: UnsafePointer<CChar>, target: String, body: [UInt8]
  ) -> HTTPServer.Request {
    let target = RequestTarget(target)
    return HTTPServer.Request(
      method: String(cString: method), path: target.path, query: target.query, headers: headers(of: connection), body: body)
  }

  static func header(_ name: String, of connection: OpaquePointer) -> String? {
    tl_mhd_header(connection, name).map { String(cString: $0) }
  }

  private static func headers(of connection: OpaquePointer) -> [HTTPServer.Header] {
    var headers: [HTTPServer.Header] = []
    _ = withUnsafeMutablePointer(to: &headers) { tl_mhd_headers(connection, headerFound, $0) }
    return headers
  }
}

private func headerFound(_ collected: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?) {
  guard let collected, let name else { return }
  let header = HTTPServer.Header(String(cString: name).lowercased(), value.map { String(cString: $0) } ?? "")
  collected.assumingMemoryBound(to: [HTTPServer.Header].self).pointee.append(header)
}
