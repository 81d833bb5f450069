import Telemetry

/// What the span of an API call tells, by OpenTelemetry's conventions for HTTP clients. The key is in none of it, wherever it is sent.
enum CallSpan {
  static func attributes(_ method: APIMethod, _ request: HTTPRequest, status: Int?, resends: Int) -> [Span.Attribute] {
    var attributes = [
      Span.Attribute("http.request.method", "GET"), Span.Attribute("url.full", .string(address(request))),
      Span.Attribute("url.template", .string(method.path)), Span.Attribute("tubeline.api.method", .string(method.rawValue)),
    ]
    let (host, port) = server(request.baseURL)
    attributes.append(Span.Attribute("server.address", .string(host)))
    if let port { attributes.append(Span.Attribute("server.port", .int(port))) }
    if let status { attributes.append(Span.Attribute("http.response.status_code", .int(status))) }
    if resends > 0 { attributes.append(Span.Attribute("http.request.resend_count", .int(resends))) }
    return attributes
  }

  private static func address(_ request: HTTPRequest) -> String {
    let query = request.query.map { $0.name == "key" ? HTTPField("key", "REDACTED") : $0 }
    return HTTPRequest(baseURL: request.baseURL, path: request.path, query: query, headers: [], timeout: request.timeout).url
  }

  private static func server(_ base: String) -> (host: String, port: Int?) {
    let isSecure = base.lowercased().hasPrefix("https:")
    let authority = base.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
    let end = authority.lastIndex { $0 == ":" || $0 == "]" }
    guard let end, authority[end] == ":", let port = Int(authority[authority.index(after: end)...]) else {
      return (String(authority), isSecure ? 443 : 80)
    }
    return (String(authority[..<end]), port)
  }
}
