import HTTPServer
import Synchronization

/// Who may read and who may change something.
final class AccessPolicy: Sendable {
  private let token: [UInt8]?
  let isReadOnly: Bool
  /// Names under which the catalogue may be asked for; nil is any.
  private let hosts: Set<String>?
  private let sessions: Sessions
  private let state = Mutex(Failures())

  private struct Failures {
    var count = 0
    var since = ContinuousClock.now
  }

  static let cookie = "tubeline_session"
  static let shortestToken = 16
  // Guessing is answered 429 from there on. What makes it hopeless is the token's length.
  private static let mostFailures = 20
  private static let failureWindow = Duration.seconds(60)

  /// - Parameters:
  ///   - hosts: in lower case, without ports; on loopback, the names of this machine (a page of another name may be an attacker's, whose
  ///     name server says 127.0.0.1).
  init(token: String?, isReadOnly: Bool, hosts: Set<String>?, sessions: Sessions = Sessions()) {
    self.token = token.map { Array($0.utf8) }
    self.isReadOnly = isReadOnly
    self.hosts = hosts
    self.sessions = sessions
  }

  var needsToken: Bool { token != nil }

  /// Refuses requests that were made for another host.
  func checkHost(_ request: HTTPServer.Request) throws(Problem) {
    guard let hosts else { return }
    guard let host = request.header("host"), hosts.contains(HostName.name(host)) else {
      throw Problem(
        .unknownHost, "The catalogue does not know itself by this name. Ask for 127.0.0.1 or localhost, or name the host in CATALOG_HOSTS.")
    }
  }

  /// Refuses what a page of another origin has made a browser send.
  func checkOrigin(_ request: HTTPServer.Request) throws(Problem) {
    let refusal = Problem(.crossSite, "The request comes from a page of another site.")
    if let site = request.header("sec-fetch-site") {
      guard site == "same-origin" || site == "none" else { throw refusal }
      return
    }
    guard let origin = request.header("origin") else { return }
    guard let host = request.header("host"), HostName.origin(origin) == host.lowercased() else { throw refusal }
  }

  /// Lets through who may change something.
  func checkWriting(_ request: HTTPServer.Request) throws(Problem) {
    try checkOrigin(request)
    guard !isReadOnly else { throw Problem(.readOnly, "This catalogue is for reading only.") }
    guard try isAuthorised(request) else { throw .unauthorized }
  }

  func isWritable(_ request: HTTPServer.Request) -> Bool { !isReadOnly && ((try? isAuthorised(request)) ?? false) }

  private func isAuthorised(_ request: HTTPServer.Request) throws(Problem) -> Bool {
    guard token != nil else { return true }
    if let session = Cookies.value(Self.cookie, in: request), sessions.isOpen(session) { return true }
    guard let header = request.header("authorization") else { return false }
    // The scheme in any case, and one blank or more (RFC 9110, section 11.4).
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
    return try accepts(String(parts[1].drop { $0 == " " }))
  }

  /// Opens a session for who knows the token. Returns the cookie.
  func openSession(_ candidate: String, isSecure: Bool) throws(Problem) -> HTTPServer.Header? {
    guard token != nil else { return nil }
    guard try accepts(candidate) else { throw Problem(.unauthorized, "This is not the token.") }
    return Self.setCookie(sessions.open(), seconds: Int(Sessions.lifetime.components.seconds), isSecure: isSecure)
  }

  func closeSession(_ request: HTTPServer.Request, isSecure: Bool) -> HTTPServer.Header {
    if let session = Cookies.value(Self.cookie, in: request) { sessions.close(session) }
    return Self.setCookie("", seconds: 0, isSecure: isSecure)
  }

  private static func setCookie(_ value: String, seconds: Int, isSecure: Bool) -> HTTPServer.Header {
    let secure = isSecure ? "; Secure" : ""
    return HTTPServer.Header("Set-Cookie", "\(cookie)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict\(secure)")
  }

  private func accepts(_ candidate: String) throws(Problem) -> Bool {
    guard let token else { return true }
    // Who has the token is let in whatever others try.
    if ConstantTime.isEqual(Array(candidate.utf8), token) { return true }
    let wait = state.withLock { failures -> Duration? in
      let now = ContinuousClock.now
      if now - failures.since > Self.failureWindow { failures = Failures() }
      failures.count = min(failures.count + 1, Self.mostFailures + 1)
      return failures.count > Self.mostFailures ? failures.since + Self.failureWindow - now : nil
    }
    if let wait { throw .tooManyRequests("Too many wrong tokens; try again in a minute.", retryAfter: wait) }
    return false
  }
}

enum ConstantTime {
  /// Takes the same time wherever the two differ.
  static func isEqual(_ candidate: [UInt8], _ secret: [UInt8]) -> Bool {
    var difference = UInt8(candidate.count == secret.count ? 0 : 1)
    for index in secret.indices { difference |= secret[index] ^ (index < candidate.count ? candidate[index] : 0) }
    return difference == 0
  }
}

enum Cookies {
  static func value(_ name: String, in request: HTTPServer.Request) -> String? {
    for header in request.headers where header.name == "cookie" {
      for pair in header.value.split(separator: ";") {
        let pair = pair.drop { $0 == " " }
        if pair.hasPrefix(name + "=") { return String(pair.dropFirst(name.count + 1)) }
      }
    }
    return nil
  }
}

/// Names of hosts as headers write them.
enum HostName {
  /// Names of this machine, for one that listens on loopback.
  static let loopback: Set<String> = ["localhost", "127.0.0.1", "::1"]

  /// In lower case, without port and brackets.
  static func name(_ host: String) -> String {
    let host = host.lowercased()
    if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[host.index(after: host.startIndex)..<end]) }
    return String(host.prefix { $0 != ":" })
  }

  /// Whether a `Host` header can be that: no pattern, no address of a page.
  static func isHost(_ text: String) -> Bool {
    let isBracketed = text.hasPrefix("[")
    let name = name(text)
    let rest = text.dropFirst(name.count + (isBracketed ? 2 : 0))
    let isNamed = name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2E
        || (isBracketed ? byte == 0x3A : byte == 0x2D || byte == 0x5F)
    }
    return !name.isEmpty && isNamed && (rest.isEmpty || rest.first == ":" && UInt16(rest.dropFirst()) != nil)
  }

  /// `example.org:8080` of `https://example.org:8080`; nil for `null` and what is no origin.
  static func origin(_ origin: String) -> String? {
    for scheme in ["http://", "https://"] where origin.lowercased().hasPrefix(scheme) {
      return String(origin.lowercased().dropFirst(scheme.count))
    }
    return nil
  }

  static func isLoopback(_ address: String) -> Bool {
    address == "localhost" || address == "::1" || address.hasPrefix("127.")
  }
}
