extension HTTPServer {
  /// One request, read completely before the handler sees it.
  public struct Request: Sendable {
    public var method: String
    /// Without the query, percent-decoded.
    public var path: String
    /// The parameters in the order sent, decoded (`+` is a blank).
    public var query: [Parameter]
    /// The header fields in the order sent, names in lower case.
    public var headers: [Header]
    public var body: [UInt8]

    public init(method: String, path: String, query: [Parameter] = [], headers: [Header] = [], body: [UInt8] = []) {
      self.method = method
      self.path = path
      self.query = query
      self.headers = headers
      self.body = body
    }

    /// The first value of a header field; `name` in lower case.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The first value of a query parameter.
    public func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
  }

  public struct Parameter: Sendable, Equatable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public struct Header: Sendable, Equatable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }
}
