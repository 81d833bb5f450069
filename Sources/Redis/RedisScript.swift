/// A Lua script that runs as one atomic step.
public struct RedisScript: Sendable, Hashable {
  public let source: String

  public init(_ source: String) { self.source = source }
}
