/// A GET request, or a POST when it has a body. `description` and reflection leave out the API key, wherever it is.
public struct HTTPRequest: Sendable {
  /// Scheme and authority, with an optional path prefix and without a slash at the end: `https://youtube.googleapis.com`.
  public let baseURL: String
  /// Starts with a slash.
  public let path: String
  /// Decoded names and values, in order.
  public let query: [HTTPField]
  public let headers: [HTTPField]
  /// For the whole exchange, from the first packet to the last byte of the body.
  public let timeout: Duration
  /// With a body the request is a POST.
  public let body: [UInt8]?

  public init(
    baseURL: String, path: String, query: [HTTPField] = [], headers: [HTTPField], timeout: Duration, body: [UInt8]? = nil
  ) {
    self.body = body
    self.baseURL = baseURL
    self.path = path
    self.query = query
    self.headers = headers
    self.timeout = timeout
  }

  func adding(_ header: HTTPField) -> HTTPRequest {
    HTTPRequest(baseURL: baseURL, path: path, query: query, headers: headers + [header], timeout: timeout, body: body)
  }

  /// The first value of a query parameter.
  public func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The first header of that name, ignoring case.
  public func header(_ name: String) -> String? { headers.first { HTTPFieldName.equal($0.name, name) }?.value }

  /// The full address with an encoded query. With the key in the query, it holds the key: never log it.
  public var url: String {
    guard !query.isEmpty else { return baseURL + path }
    var text = baseURL
    text.reserveCapacity(baseURL.utf8.count + path.utf8.count + query.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count * 2 + 2 })
    text += path
    var separator = "?"
    for field in query {
      text += separator
      PercentEncoding.append(field.name, to: &text)
      text += "="
      PercentEncoding.append(field.value, to: &text)
      separator = "&"
    }
    return text
  }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String {
    let shown = query.filter { $0.name != "key" }
    return (body == nil ? "GET " : "POST ") + HTTPRequest(baseURL: baseURL, path: path, query: shown, headers: [], timeout: timeout).url
  }

  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
