import CMicrohttpd

/// Copies a request out of libmicrohttpd's memory.
enum RequestReader {
  static func request(
    method: UnsafePointer<CChar>, target: String, headers: [HTTPServer.Header], body: [UInt8]
  ) -> HTTPServer.Request {
    let target = RequestTarget(target)
    return HTTPServer.Request(
      method: String(cString: method), path: target.path, query: target.query, headers: headers, body: body)
  }

  /// The answer to a request for more than one host, to a body whose end server and proxies could see in different places (RFC 9112,
  /// sections 3.2 and 6), or to one that cannot be decoded.
  static func refusal(of headers: [HTTPServer.Header]) -> HTTPServer.Response? {
    guard headers.count(where: { $0.name == "host" }) <= 1 else { return .text("The request has more than one Host.\n", status: 400) }
    let lengths = Set(headers.filter { $0.name == "content-length" }.map(\.value))
    let codings = headers.filter { $0.name == "transfer-encoding" }
    let refusal: (sentence: String, status: Int)?
    if lengths.count > 1 {
      refusal = ("The request has more than one Content-Length.\n", 400)
    } else if let coding = codings.first, codings.count > 1 || coding.value.lowercased() != "chunked" {
      refusal = ("There is no transfer coding here but chunked.\n", 501)
    } else {
      refusal = !codings.isEmpty && !lengths.isEmpty ? ("The request has both a Content-Length and a Transfer-Encoding.\n", 400) : nil
    }
    return refusal.map { .text($0.sentence, status: $0.status) }
  }

  static func headers(of connection: OpaquePointer) -> [HTTPServer.Header] {
    var headers: [HTTPServer.Header] = []
    _ = withUnsafeMutablePointer(to: &headers) { tl_mhd_headers(connection, headerFound, $0) }
    return headers
  }
}

private func headerFound(_ collected: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?) {
  guard let collected, let name else { return }
  var text = value.map { String(cString: $0) } ?? ""
  // Blanks before a value are the library's to remove, those behind it are not (RFC 9110, section 5.5).
  while text.utf8.last == UInt8(ascii: " ") || text.utf8.last == UInt8(ascii: "\t") { text.unicodeScalars.removeLast() }
  let header = HTTPServer.Header(String(cString: name).lowercased(), text)
  collected.assumingMemoryBound(to: [HTTPServer.Header].self).pointee.append(header)
}
