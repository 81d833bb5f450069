/// What the API, or the way to it, answered instead of a result. It never holds the API key.
public struct APIError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The HTTP status; `nil` if no answer came.
  public let status: Int?
  /// The API's reason (`playlistNotFound`, `API_KEY_INVALID`), a transport error's kind, or `malformedAnswer`, `http` for want of one.
  public let reason: String
  /// The API's error domain, such as `youtube.quota`.
  public let domain: String?
  /// One line of at most 500 characters, without HTML tags and control characters.
  public let message: String
  /// What the API asked for in `Retry-After`, capped.
  public let retryAfter: Duration?
  /// The same call may succeed later.
  public let isRetriable: Bool

  public init(
    status: Int?, reason: String, domain: String? = nil, message: String, retryAfter: Duration? = nil, isRetriable: Bool = false
  ) {
    self.status = status
    self.reason = reason
    self.domain = domain
    self.message = message
    self.retryAfter = retryAfter
    self.isRetriable = isRetriable
  }

  public var description: String {
    [status.map { "HTTP \($0)" }, reason, message.isEmpty ? nil : message].compactMap { $0 }.joined(separator: ", ")
  }
}
