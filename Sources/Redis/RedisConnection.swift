import Dispatch
import Synchronization

/// One connection to a Redis or Valkey server, made when first needed and again after it broke.
///
/// Commands run one after the other on the connection's own queue, each within the timeouts; those that stood behind one without an answer
/// fail with it and are not sent. A command that was sent is never sent twice: after a broken connection the caller decides.
public final class RedisConnection: Sendable {
  public struct Timeouts: Sendable {
    public var connect: Duration
    public var command: Duration

    public init(connect: Duration = .seconds(5), command: Duration = .seconds(5)) {
      self.connect = connect
      self.command = command
    }
  }

  public let url: RedisURL
  private let queue = DispatchQueue(label: "tubeline.redis")
  private let isClosing = Atomic(false)
  private let session: Mutex<RedisSession?>
  // Of the last command that got no answer in time.
  private let hang = Mutex<(at: ContinuousClock.Instant, error: RedisError)?>(nil)

  public init(_ url: RedisURL, timeouts: Timeouts = Timeouts()) {
    self.url = url
    session = Mutex(RedisSession(url: url, timeouts: timeouts))
  }

  /// Sends one command, such as `["GET", "key"]`, and returns its reply; an error reply is thrown.
  public func command(_ arguments: [String]) async throws(RedisError) -> RedisValue {
    try await perform { session throws(RedisError) in try session.command(arguments.map { Array($0.utf8) }) }
  }

  public func command(bytes arguments: [[UInt8]]) async throws(RedisError) -> RedisValue {
    try await perform { session throws(RedisError) in try session.command(arguments) }
  }

  /// Runs a script by its hash (EVALSHA), in one round trip once the server knows it.
  public func evaluate(_ script: RedisScript, keys: [String], arguments: [String]) async throws(RedisError) -> RedisValue {
    try await perform { session throws(RedisError) in
      try session.evaluate(script, keys: keys, arguments: arguments)
    }
  }

  /// Waits for the running command, then closes; those behind it, and later ones, throw `closed`.
  public func close() async {
    isClosing.store(true, ordering: .sequentiallyConsistent)
    await withCheckedContinuation { continuation in
      queue.async {
        self.session.withLock { $0 = nil }
        continuation.resume()
      }
    }
  }

  private func perform(
    _ body: @escaping @Sendable (inout RedisSession) throws(RedisError) -> RedisValue
  ) async throws(RedisError) -> RedisValue {
    let since = ContinuousClock.now
    let result: Result<RedisValue, RedisError> = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.run(body, since: since)) }
    }
    return try result.get()
  }

  private func run(
    _ body: (inout RedisSession) throws(RedisError) -> RedisValue, since: ContinuousClock.Instant
  ) -> Result<RedisValue, RedisError> {
    session.withLock { session in
      guard session != nil, !isClosing.load(ordering: .sequentiallyConsistent) else {
        return .failure(RedisError(.closed, "The Redis connection is closed."))
      }
      // Else a server that hangs would cost each of many commands a whole timeout, one after the other.
      if let hang = hang.withLock({ $0 }), since < hang.at { return .failure(hang.error) }
      do throws(RedisError) {
        return .success(try body(&session!))
      } catch {
        if error.code == .timeout { hang.withLock { $0 = (.now, error) } }
        return .failure(error)
      }
    }
  }
}
