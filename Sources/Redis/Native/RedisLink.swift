import CHiredis
import Glibc

/// An open socket to a server and hiredis's state of it. Blocks; for one thread at a time.
final class RedisLink {
  private let context: UnsafeMutablePointer<redisContext>

  init(_ address: RedisURL.Address, connectTimeout: Duration, commandTimeout: Duration) throws(RedisError) {
    let opened =
      switch address {
      case .tcp(let host, let port): redisConnectWithTimeout(host, Int32(port), connectTimeout.timeval)
      case .unix(let path): redisConnectUnixWithTimeout(path, connectTimeout.timeval)
      }
    guard let opened else { throw RedisError(.connection, "hiredis could not allocate a connection.") }
    context = opened
    if opened.pointee.err != 0 { throw failure("Redis cannot be reached at \(address.text)") }
    redisSetTimeout(context, commandTimeout.timeval)
    if case .tcp = address { redisEnableKeepAlive(context) }
  }

  deinit { redisFree(context) }

  /// False when the server has closed the connection, or sent bytes that nobody asked for.
  var isAlive: Bool {
    var descriptor = pollfd(fd: context.pointee.fd, events: Int16(POLLIN), revents: 0)
    return context.pointee.err == 0 && poll(&descriptor, 1, 0) == 0
  }

  /// One command and its reply. After an error the connection is unusable.
  func roundTrip(_ arguments: [[UInt8]]) throws(RedisError) -> RedisValue {
    let reply = withoutBrokenPipeSignal { execute(arguments) }
    guard let reply else { throw failure("The connection to Redis failed") }
    defer { freeReplyObject(reply) }
    return RedisValue(copying: reply.pointee, depth: 0)
  }

  private func execute(_ arguments: [[UInt8]]) -> UnsafeMutablePointer<redisReply>? {
    let bytes = arguments.flatMap { $0 }
    let lengths = arguments.map(\.count)
    return bytes.withUnsafeBytes { buffer in
      // An empty argument still needs an address that is not null.
      var position = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      var pointers: [UnsafePointer<CChar>?] = []
      for length in lengths {
        pointers.append(position)
        position = position?.advanced(by: length)
      }
      let reply = redisCommandArgv(context, Int32(arguments.count), &pointers, lengths)
      return reply?.assumingMemoryBound(to: redisReply.self)
    }
  }

  private func failure(_ what: String) -> RedisError {
    let code = context.pointee.err
    let systemError = errno
    let text = withUnsafeBytes(of: context.pointee.errstr) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    // hiredis reports a read that timed out as EAGAIN.
    if code == REDIS_ERR_IO, systemError == EAGAIN { return RedisError(.timeout, "\(what): no answer in time.") }
    if text.contains("timed out") { return RedisError(.timeout, "\(what): \(text)") }
    return RedisError(code == REDIS_ERR_PROTOCOL ? .protocolViolation : .connection, "\(what): \(text)")
  }
}

extension RedisValue {
  // Replies come from outside: their nesting must not exhaust the stack (hiredis itself stops at 7 levels).
  fileprivate init(copying reply: redisReply, depth: Int) {
    let bytes = { [UInt8](UnsafeRawBufferPointer(start: reply.str, count: reply.str == nil ? 0 : reply.len)) }
    switch reply.type {
    case REDIS_REPLY_INTEGER: self = .integer(Int(reply.integer))
    case REDIS_REPLY_STRING: self = .bytes(bytes())
    case REDIS_REPLY_STATUS: self = .status(String(decoding: bytes(), as: UTF8.self))
    case REDIS_REPLY_ERROR: self = .error(String(decoding: bytes(), as: UTF8.self))
    case REDIS_REPLY_ARRAY where depth < 16:
      self = .array(
        (0..<reply.elements).map { index in
          guard let element = reply.element?[index] else { return .null }
          return RedisValue(copying: element.pointee, depth: depth + 1)
        })
    default: self = .null
    }
  }
}

extension RedisURL.Address {
  fileprivate var text: String {
    switch self {
    case .tcp(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    case .unix(let path): path
    }
  }
}

extension Duration {
  // hiredis takes zero for no time at all.
  fileprivate var timeval: timeval {
    let (seconds, attoseconds) = max(self, .milliseconds(1)).components
    return Glibc.timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
  }
}
