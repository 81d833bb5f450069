import Dispatch

/// The state behind a connection: when to connect again, and which scripts the server knows. Blocks; lives on one queue.
struct RedisSession: ~Copyable {
  private let url: RedisURL
  private let timeouts: RedisConnection.Timeouts
  private var link: RedisLink?
  private var hashes: [RedisScript: String] = [:]
  private var backoff = ReconnectBackoff()

  init(url: RedisURL, timeouts: RedisConnection.Timeouts) {
    self.url = url
    self.timeouts = timeouts
  }

  mutating func command(_ arguments: [[UInt8]]) throws(RedisError) -> RedisValue {
    guard !arguments.isEmpty else { throw RedisError(.protocolViolation, "A command has at least a name.") }
    let reply = try send(arguments, over: try connected())
    if case .error(let text) = reply { throw RedisError(serverError: text, from: url) }
    return reply
  }

  mutating func evaluate(_ script: RedisScript, keys: [String], arguments: [String]) throws(RedisError) -> RedisValue {
    let tail = ([String(keys.count)] + keys + arguments).map { Array($0.utf8) }
    do throws(RedisError) {
      return try command([Array("EVALSHA".utf8), Array(try hash(of: script).utf8)] + tail)
    } catch {
      // A restarted server, or SCRIPT FLUSH: nothing has run.
      guard error.code == .server("NOSCRIPT") else { throw error }
      return try command([Array("EVAL".utf8), Array(script.source.utf8)] + tail)
    }
  }

  private mutating func hash(of script: RedisScript) throws(RedisError) -> String {
    if let known = hashes[script] { return known }
    let reply = try command([Array("SCRIPT".utf8), Array("LOAD".utf8), Array(script.source.utf8)])
    guard let hash = reply.string else { throw RedisError(.unexpectedReply, "SCRIPT LOAD answered no hash.") }
    hashes[script] = hash
    return hash
  }

  private mutating func send(_ arguments: [[UInt8]], over link: RedisLink) throws(RedisError) -> RedisValue {
    do throws(RedisError) {
      return try link.roundTrip(arguments)
    } catch {
      self.link = nil
      throw error
    }
  }

  private mutating func connected() throws(RedisError) -> RedisLink {
    // A server that closed an idle connection is noticed before the command is sent, not after.
    if let link, link.isAlive { return link }
    link = nil
    try backoff.check()
    do throws(RedisError) {
      let fresh = try RedisLink(url.address, connectTimeout: timeouts.connect, commandTimeout: timeouts.command)
      try introduce(fresh)
      link = fresh
      backoff.succeeded()
      return fresh
    } catch {
      backoff.failed(error)
      throw error
    }
  }

  private func introduce(_ link: RedisLink) throws(RedisError) {
    if let password = url.password {
      try accept(link, ["AUTH"] + [url.user, password].compactMap { $0 })
    }
    if url.database != 0 { try accept(link, ["SELECT", String(url.database)]) }
  }

  private func accept(_ link: RedisLink, _ arguments: [String]) throws(RedisError) {
    let reply = try link.roundTrip(arguments.map { Array($0.utf8) })
    if case .error(let text) = reply { throw RedisError(serverError: text, from: url) }
  }
}

/// After a failed attempt to connect, commands fail at once for a while that grows: 100 ms to 5 s, jittered.
struct ReconnectBackoff {
  private var attempts = 0
  private var blockedUntil: DispatchTime?
  private var lastError: RedisError?

  func check(now: DispatchTime = .now()) throws(RedisError) {
    guard let blockedUntil, let lastError, now < blockedUntil else { return }
    throw lastError
  }

  mutating func failed(_ error: RedisError, now: DispatchTime = .now(), random: Double = .random(in: 0.5...1)) {
    let milliseconds = Double(min(5000, 100 << min(attempts, 6))) * random
    attempts += 1
    blockedUntil = now + .milliseconds(Int(milliseconds))
    lastError = error
  }

  mutating func succeeded() { self = ReconnectBackoff() }
}

extension RedisError {
  /// Who is refused by which server is what an operator has to know; the password is not in it.
  init(serverError text: String, from url: RedisURL) {
    let word = text.prefix { $0 != " " }
    let code: Code = .server(word.allSatisfy { $0.isUppercase || $0 == "_" } ? String(word) : "ERR")
    let text = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let error = RedisError(code, text)
    guard error.isAboutAccess else {
      self = error
      return
    }
    let user = url.user.map { "the user \"\($0)\"" } ?? (url.password == nil ? "a client without password" : "the default user")
    self.init(code, "Redis at \(url) refuses \(user): \(text)\(text.hasSuffix(".") ? "" : ".")")
  }
}
