/// A command or a connection failed. Passwords never appear in it.
public struct RedisError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    /// The address is unusable.
    case invalidURL
    /// No connection, or it broke, or no answer came in time: whether the command ran is unknown.
    case connection
    case timeout
    /// Bytes that are no Redis reply.
    case protocolViolation
    /// An error reply; the associated value is its first word, such as `WRONGTYPE`.
    case server(String)
    /// A reply of another type than the caller expects.
    case unexpectedReply
    case closed
  }

  public let code: Code
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  // Error replies that pass by themselves (https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors).
  private static let temporary: Set<String> = [
    "LOADING", "BUSY", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN", "READONLY", "OOM", "MISCONF", "NOREPLICAS",
  ]
  // Passing too, but said under ERR: to a client that is one too many (also of a cluster), and what a write inside a script meets in Redis 6.
  private static let temporaryTexts = ["max number of clients", ": -READONLY ", ": -OOM ", ": -MISCONF ", ": -NOREPLICAS "]

  /// The same command may succeed later without anyone's help.
  public var isRetriable: Bool {
    switch code {
    case .connection, .timeout, .protocolViolation: true
    case .server("ERR"): Self.temporaryTexts.contains { message.contains($0) }
    case .server(let word): Self.temporary.contains(word)
    case .invalidURL, .unexpectedReply, .closed: false
    }
  }

  /// The user may not do this: a command, or a key, that its ACL does not allow.
  public var lacksPermission: Bool {
    // A command inside a script is refused in other words: of Redis 7.0, of 7.2 and Valkey, of 6.
    guard case .server(let word) = code else { return false }
    return word == "NOPERM"
      || ["The user executing the script can't", "ACL failure in script", "-NOPERM"].contains { message.contains($0) }
  }

  /// A key holds another type of value than the command, or a command inside a script (in Redis 6), expects.
  public var isWrongType: Bool {
    guard case .server(let word) = code else { return false }
    return word == "WRONGTYPE" || message.contains(": WRONGTYPE ")
  }

  /// The server does not let this user in, or not do this.
  var isAboutAccess: Bool {
    lacksPermission || [.server("WRONGPASS"), .server("NOAUTH")].contains(code) || message.contains("AUTH <password> called without")
  }

  public var description: String { message }
}
