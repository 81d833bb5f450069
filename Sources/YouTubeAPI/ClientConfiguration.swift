/// How the client speaks to the API.
public struct ClientConfiguration: Sendable {
  public enum KeyPlacement: String, Sendable, CaseIterable {
    /// `X-Goog-Api-Key`: no log of addresses anywhere on the way sees the key.
    case header
    /// `key=`: the documented way, for proxies that drop unknown headers.
    case query
  }

  public var apiKey: Secret
  /// Scheme and authority, with an optional path prefix; the methods' paths start with `/youtube/v3/`.
  public var baseURL: String
  public var keyPlacement: KeyPlacement
  /// Must hold the word `gzip`, or the API answers uncompressed.
  public var userAgent: String
  /// For one whole HTTP exchange.
  public var timeout: Duration
  /// The longest `Retry-After` that is believed.
  public var retryAfterCap: Duration

  public static let defaultUserAgent = "tubeline/1 (gzip)"

  public init(
    apiKey: Secret, baseURL: String = "https://youtube.googleapis.com", keyPlacement: KeyPlacement = .header,
    userAgent: String = ClientConfiguration.defaultUserAgent, timeout: Duration = .seconds(30), retryAfterCap: Duration = .seconds(300)
  ) {
    self.apiKey = apiKey
    self.baseURL = baseURL
    self.keyPlacement = keyPlacement
    self.userAgent = userAgent
    self.timeout = timeout
    self.retryAfterCap = retryAfterCap
  }
}
