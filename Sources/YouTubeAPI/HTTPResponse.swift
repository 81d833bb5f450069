/// An answer whose body has arrived completely and is decompressed.
public struct HTTPResponse: Sendable {
  public let status: Int
  public let headers: [HTTPField]
  public let body: [UInt8]

  public init(status: Int, headers: [HTTPField] = [], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first header of that name, ignoring case.
  public func header(_ name: String) -> String? { headers.first { HTTPFieldName.equal($0.name, name) }?.value }
}
