/// Where a Redis or Valkey server is: `redis://[user:password@]host[:port][/db]` or `unix://[user:password@]/path/to/socket[?db=n]`.
public struct RedisURL: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
  public enum Address: Sendable, Equatable {
    case tcp(host: String, port: Int)
    case unix(path: String)
  }

  public let address: Address
  public let user: String?
  public let password: String?
  public let database: Int

  public init(address: Address, user: String? = nil, password: String? = nil, database: Int = 0) {
    self.address = address
    self.user = user
    self.password = password
    self.database = database
  }

  /// Reads an address; user and password may be percent-encoded, `:password@` has no user, an IPv6 host stands in brackets.
  public init(_ text: String) throws(RedisError) {
    if text.hasPrefix("unix://") {
      self = try Self.socket(text.dropFirst(7))
      return
    }
    if text.hasPrefix("rediss://") {
      throw .url(
        "TLS (rediss://) is not built in; run a local TLS proxy such as stunnel and use its address here (docs/security.md says how)")
    }
    guard text.hasPrefix("redis://") else { throw .url("it must begin with redis:// or unix://") }
    var rest = text.dropFirst(8)
    var user: String?
    var password: String?
    if let at = rest.lastIndex(of: "@") {
      (user, password) = try Self.credentials(rest[..<at])
      rest = rest[rest.index(after: at)...]
    }
    guard !rest.contains("?"), !rest.contains("#") else { throw .url("parameters after ? or # are not supported") }
    let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let (host, port) = try Self.hostAndPort(parts.first ?? "")
    let database = parts.count > 1 && !parts[1].isEmpty ? try Self.database(parts[1]) : 0
    self.init(address: .tcp(host: host, port: port), user: user, password: password, database: database)
  }

  /// Without user and password.
  public var description: String {
    let secret = password == nil ? "" : "***@"
    return switch address {
    case .tcp(let host, let port): "redis://\(secret)\(host.contains(":") ? "[\(host)]" : host):\(port)/\(database)"
    case .unix(let path): "unix://\(secret)\(path)?db=\(database)"
    }
  }

  public var debugDescription: String { description }

  private static func socket(_ text: Substring) throws(RedisError) -> RedisURL {
    // A path may hold an @ as well.
    let start = text.firstIndex(of: "/") ?? text.endIndex
    guard start == text.startIndex || text[..<start].hasSuffix("@") else { throw .url("unix:// needs an absolute path") }
    let (user, password) = start == text.startIndex ? (nil, nil) : try credentials(text[..<start].dropLast())
    let text = text[start...]
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first, path.hasPrefix("/"), !path.utf8.contains(0) else { throw .url("unix:// needs an absolute path") }
    // The size of sockaddr_un's path, with its closing zero.
    guard path.utf8.count < 108 else { throw .url("the socket's path is longer than 107 bytes") }
    guard parts.count > 1 else { return RedisURL(address: .unix(path: String(path)), user: user, password: password) }
    guard parts[1].hasPrefix("db=") else { throw .url("the only parameter of unix:// is db") }
    return RedisURL(address: .unix(path: String(path)), user: user, password: password, database: try database(parts[1].dropFirst(3)))
  }

  private static func credentials(_ text: Substring) throws(RedisError) -> (user: String?, password: String?) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let user = percentDecoded(parts[0]), let password = percentDecoded(parts[1]) else {
      throw .url(
        "what stands before @ must be user:password, percent-encoded where it holds special characters; a user alone needs its password beside the address"
      )
    }
    if user.isEmpty && password.isEmpty { return (nil, nil) }
    return (user.isEmpty ? nil : user, password)
  }

  private static func hostAndPort(_ text: Substring) throws(RedisError) -> (String, Int) {
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { throw .url("the ] of the IPv6 address is missing") }
      let host = String(text[text.index(after: text.startIndex)..<end])
      let rest = text[text.index(after: end)...]
      guard !host.isEmpty, isReadable(host), rest.isEmpty || rest.hasPrefix(":") else { throw .url("the host is unreadable") }
      return (host, try port(rest.dropFirst()))
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2 else { throw .url("an IPv6 address must stand in brackets") }
    let host = parts.first.map(String.init) ?? ""
    guard isReadable(host) else { throw .url("the host is unreadable") }
    return (host.isEmpty ? "localhost" : host, try port(parts.count == 2 ? parts[1] : ""))
  }

  // Others are written in ASCII too (xn--…); a resolver knows no other form.
  private static func isReadable(_ host: some StringProtocol) -> Bool { host.utf8.allSatisfy { (0x21...0x7E).contains($0) } }

  private static func port(_ text: Substring) throws(RedisError) -> Int {
    if text.isEmpty { return 6379 }
    guard text.allSatisfy(\.isASCIIDigit), let port = Int(text), (1...65535).contains(port) else {
      throw .url("the port must be 1 to 65535")
    }
    return port
  }

  private static func database(_ text: Substring) throws(RedisError) -> Int {
    guard text.allSatisfy(\.isASCIIDigit), let number = Int(text), number <= 1_000_000 else {
      throw .url("the database must be a number such as /0")
    }
    return number
  }

  private static func percentDecoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      // UInt8's own reading would take a sign for a digit.
      guard let high = rest.popFirst(), let low = rest.popFirst(), high != UInt8(ascii: "+"), high != UInt8(ascii: "-"),
        let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

extension RedisError {
  fileprivate static func url(_ problem: String) -> RedisError {
    RedisError(.invalidURL, "The Redis address is unusable: \(problem). Expected: redis://[user:password@]host:port/db")
  }
}
