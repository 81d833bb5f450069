/// The right to make one call; the gate may keep in it what it needs for a refund (the quota day, for example).
public struct CallPermit: Sendable {
  public let method: APIMethod
  public let token: (any Sendable)?

  public init(method: APIMethod, token: (any Sendable)? = nil) {
    self.method = method
    self.token = token
  }
}
