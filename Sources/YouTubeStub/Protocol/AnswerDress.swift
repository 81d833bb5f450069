import HTTPServer
import JSON

/// Status, header fields, compression and layout of the answers to one call.
struct AnswerDress {
  private let request: HTTPServer.Request
  private let wantsPretty: Bool

  init(_ call: Call) {
    request = call.request
    wantsPretty = call.wantsPretty
  }

  func success(_ bytes: [UInt8], etag: String, headers: [HTTPServer.Header]) -> HTTPServer.Response {
    let headers = [HTTPServer.Header("ETag", "\"\(etag)\""), HTTPServer.Header("Cache-Control", "private")] + headers
    if holds(etag) { return HTTPServer.Response(status: 304, headers: headers) }
    return json(200, bytes, headers)
  }

  func error(_ error: APIError, headers: [HTTPServer.Header] = []) -> HTTPServer.Response {
    json(error.status, error.envelope.bytes(pretty: wantsPretty), headers)
  }

  /// A made-up answer: the body as given, or the usual envelope; a status without fault (2xx) keeps an empty object.
  func fault(_ status: Int?, _ reason: String?, _ body: String?, headers: [HTTPServer.Header]) -> HTTPServer.Response {
    let usual = APIError.usual(status: status, reason: reason)
    if let body {
      let fallback = reason == nil ? 200 : usual.status
      return json(status ?? fallback, Array(body.utf8), headers)
    }
    if let status, status < 400 { return json(status, Array("{}".utf8), headers) }
    return error(usual, headers: headers)
  }

  /// Announces the whole answer and sends half of it.
  func truncated(_ whole: HTTPServer.Response) -> HTTPServer.Response {
    guard case .bytes(let bytes) = whole.body else { return whole }
    var response = whole
    response.body = .truncated(Array(bytes.prefix(bytes.count / 2)), length: bytes.count)
    return response
  }

  /// A complete HTTP answer whose JSON breaks off.
  func malformed(_ whole: HTTPServer.Response) -> HTTPServer.Response {
    guard case .bytes(let bytes) = whole.body else { return whole }
    let isZipped = whole.headers.contains { $0.name == "Content-Encoding" }
    var response = whole
    response.headers.removeAll { $0.name == "Content-Encoding" }
    // Half of a compressed body would fail in decompression already, which is another fault.
    response.body = .bytes(
      isZipped ? Array("{\"kind\": \"youtube#listResponse\", \"items\": [{\"id\": ".utf8) : Array(bytes.prefix(bytes.count / 2)))
    return response
  }

  private func json(_ status: Int, _ bytes: [UInt8], _ headers: [HTTPServer.Header]) -> HTTPServer.Response {
    var headers =
      [HTTPServer.Header("Content-Type", "application/json; charset=UTF-8"), HTTPServer.Header("Vary", "Origin, X-Origin, Referer")]
      + headers
    guard acceptsGzip, bytes.count > 512, let zipped = Gzip.compress(bytes) else {
      return HTTPServer.Response(status: status, headers: headers, body: bytes)
    }
    headers.append(HTTPServer.Header("Content-Encoding", "gzip"))
    return HTTPServer.Response(status: status, headers: headers, body: zipped)
  }

  // The API wants both: the encoding accepted, and the word in the name of the client.
  private var acceptsGzip: Bool {
    let encodings = (request.header("accept-encoding") ?? "").lowercased()
    guard encodings.contains("gzip"), !encodings.replacing(" ", with: "").contains("gzip;q=0,") else { return false }
    return (request.header("user-agent") ?? "").lowercased().contains("gzip")
  }

  private func holds(_ etag: String) -> Bool {
    guard let known = request.header("if-none-match") else { return false }
    return known.split(separator: ",").contains { entry in
      let name = entry.drop { $0 == " " }
      return name == "*" || (name.hasPrefix("W/") ? name.dropFirst(2) : name).filter { $0 != "\"" && $0 != " " } == etag
    }
  }
}
