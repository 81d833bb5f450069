import Redis
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)), .enabled(if: RedisServerProcess.isUsable, "redis-server is not installed"))
struct RedisConnectionTests {
  @Test func repliesOfEveryTypeAreRead() async throws {
    let server = try await RedisServerProcess.start()
    defer { server.remove() }
    let connection = RedisConnection(try RedisURL(server.url))
    #expect(try await connection.command(["PING"]) == .status("PONG"))
    #expect(try await connection.command(["GET", "none"]) == .null)
    #expect(try await connection.command(["INCR", "n"]) == .integer(1))
    let bytes: [UInt8] = [0, 255, 13, 10, 0]
    _ = try await connection.command(bytes: [Array("SET".utf8), Array("b".utf8), bytes])
    #expect(try await connection.command(["GET", "b"]) == .bytes(bytes))
    _ = try await connection.command(["SET", "", ""])
    #expect(try await connection.command(["MGET", "", "none"]) == .array([.bytes([]), .null]))
    let nested = RedisScript("return {1, {'a', {ARGV[1]}}, redis.error_reply('ODD thing'), false}")
    #expect(
      try await connection.evaluate(nested, keys: [], arguments: ["z"])
        == .array([.integer(1), .array([.bytes([97]), .array([.bytes([122])])]), .error("ODD thing"), .null]))
    await connection.close()
    await #expect(throws: RedisError.self) { try await connection.command(["PING"]) }
  }

  @Test func errorRepliesCarryTheirCodeAndKeepTheConnection() async throws {
    let server = try await RedisServerProcess.start()
    defer { server.remove() }
    let connection = RedisConnection(try RedisURL(server.url))
    _ = try await connection.command(["SET", "text", "x"])
    let error = await #expect(throws: RedisError.self) { try await connection.command(["LPUSH", "text", "x"]) }
    #expect(error?.code == .server("WRONGTYPE"))
    #expect(error?.isRetriable == false)
    await #expect(throws: RedisError.self) { try await connection.command([]) }
    #expect(try await connection.command(["PING"]) == .status("PONG"))
  }

  @Test func aForgottenScriptIsSentAgain() async throws {
    let server = try await RedisServerProcess.start()
    defer { server.remove() }
    let connection = RedisConnection(try RedisURL(server.url))
    let script = RedisScript("return redis.call('INCR', KEYS[1])")
    #expect(try await connection.evaluate(script, keys: ["n"], arguments: []) == .integer(1))
    _ = try await connection.command(["SCRIPT", "FLUSH"])
    #expect(try await connection.evaluate(script, keys: ["n"], arguments: []) == .integer(2))
    #expect(try await connection.evaluate(script, keys: ["n"], arguments: []) == .integer(3))
  }

  @Test func aConnectionThatTheServerClosedIsReplacedBeforeTheCommand() async throws {
    let server = try await RedisServerProcess.start()
    defer { server.remove() }
    let connection = RedisConnection(try RedisURL(server.url))
    let other = RedisConnection(try RedisURL(server.url))
    for count in 1...5 {
      #expect(try await connection.command(["INCR", "n"]) == .integer(count))
      _ = try await other.command(["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"])
    }
  }

  @Test func aServerThatDoesNotAnswerIsATimeout() async throws {
    let server = try await RedisServerProcess.start()
    defer { server.remove() }
    let connection = RedisConnection(try RedisURL(server.url), timeouts: .init(connect: .seconds(1), command: .milliseconds(100)))
    let error = await #expect(throws: RedisError.self) { try await connection.command(["BLPOP", "empty", "0"]) }
    #expect(error?.code == .timeout)
    #expect(error?.isRetriable == true)
    #expect(try await connection.command(["PING"]) == .status("PONG"))
  }

  @Test func whatStandsBehindACommandWithoutAnAnswerFailsWithItAndIsNotSent() async throws {
    let server = try await RedisServerProcess.start()
    defer { server.remove() }
    let connection = RedisConnection(try RedisURL(server.url), timeouts: .init(connect: .seconds(5), command: .seconds(2)))
    _ = try await connection.command(["PING"])
    let codes = await withTaskGroup(of: RedisError.Code?.self) { group in
      group.addTask {
        do throws(RedisError) { _ = try await connection.command(["BLPOP", "empty", "0"]) } catch { return error.code }
        return nil
      }
      // What comes before the first gets its answer; what comes behind waits for the same.
      for _ in 0..<20 {
        group.addTask {
          do throws(RedisError) { _ = try await connection.command(["INCR", "n"]) } catch { return error.code }
          return nil
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let answered = codes.count { $0 == nil }
    #expect(codes.count { $0 == .timeout } == 21 - answered)
    #expect(try await connection.command(["GET", "n"]).string.flatMap(Int.init) ?? 0 == answered)
  }

  @Test func aClosedConnectionSendsNothing() async throws {
    let server = try await RedisServerProcess.start()
    defer { server.remove() }
    let (connection, other) = (RedisConnection(try RedisURL(server.url)), RedisConnection(try RedisURL(server.url)))
    await connection.close()
    #expect(await #expect(throws: RedisError.self) { try await connection.command(["INCR", "n"]) }?.code == .closed)
    #expect(try await other.command(["EXISTS", "n"]) == .integer(0))
  }

  @Test func userPasswordAndDatabaseAreUsedAndThePasswordIsNeverShown() async throws {
    let server = try await RedisServerProcess.start()
    defer { server.remove() }
    let address = RedisURL.Address.unix(path: server.socket)
    let operatorsConnection = RedisConnection(RedisURL(address: address))
    _ = try await operatorsConnection.command(["ACL", "SETUSER", "worker", "on", ">s3cr:t", "~*", "&*", "+@all"])
    _ = try await operatorsConnection.command(["CONFIG", "SET", "requirepass", "pa ss"])
    let worker = RedisConnection(RedisURL(address: address, user: "worker", password: "s3cr:t", database: 3))
    _ = try await worker.command(["SET", "here", "1"])
    let keyspace = try await worker.command(["INFO", "keyspace"])
    #expect(keyspace.string?.contains("db3:keys=1") == true)
    let onlyPassword = RedisConnection(RedisURL(address: address, password: "pa ss"))
    #expect(try await onlyPassword.command(["PING"]) == .status("PONG"))
    let wrong = RedisConnection(RedisURL(address: address, user: "worker", password: "hunter2"))
    let error = await #expect(throws: RedisError.self) { try await wrong.command(["PING"]) }
    #expect(error?.code == .server("WRONGPASS"))
    #expect(error?.isRetriable == false)
    #expect("\(try #require(error)) \(wrong.url) \(String(reflecting: wrong.url))".contains("hunter2") == false)
    let anonymous = RedisConnection(RedisURL(address: address))
    #expect(await #expect(throws: RedisError.self) { try await anonymous.command(["PING"]) }?.code == .server("NOAUTH"))
  }

  @Test func nobodyListeningIsAConnectionError() async throws {
    let connection = RedisConnection(try RedisURL("unix:///nonexistent/socket"))
    for _ in 0..<3 {
      let error = await #expect(throws: RedisError.self) { try await connection.command(["PING"]) }
      #expect(error?.code == .connection)
      #expect(error?.message.contains("/nonexistent/socket") == true)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct RedisURLTests {
  @Test(arguments: [
    ("redis://cache", RedisURL(address: .tcp(host: "cache", port: 6379))),
    ("redis://cache/", RedisURL(address: .tcp(host: "cache", port: 6379))),
    ("redis://", RedisURL(address: .tcp(host: "localhost", port: 6379))),
    ("redis://10.0.0.1:7000/5", RedisURL(address: .tcp(host: "10.0.0.1", port: 7000), database: 5)),
    ("redis://[::1]:7000/5", RedisURL(address: .tcp(host: "::1", port: 7000), database: 5)),
    ("redis://[fe80::1]", RedisURL(address: .tcp(host: "fe80::1", port: 6379))),
    ("redis://u:p@h", RedisURL(address: .tcp(host: "h", port: 6379), user: "u", password: "p")),
    ("redis://:p%40%3A%2f@h", RedisURL(address: .tcp(host: "h", port: 6379), password: "p@:/")),
    ("redis://u:a@b@h", RedisURL(address: .tcp(host: "h", port: 6379), user: "u", password: "a@b")),
    ("unix:///run/redis.sock?db=2", RedisURL(address: .unix(path: "/run/redis.sock"), database: 2)),
  ])
  func addressesAreRead(text: String, expected: RedisURL) throws { #expect(try RedisURL(text) == expected) }

  @Test(arguments: [
    "", "cache:6379", "http://cache", "rediss://cache", "redis://h:0", "redis://h:65536", "redis://h:port", "redis://h:1:2", "redis://::1",
    "redis://[::1", "redis://[]", "redis://h/x", "redis://h/-1", "redis://h/1/2", "redis://u@h", "redis://u:%zz@h", "redis://u:%4@h",
    "redis://h?db=1",
    "redis://a b", "unix://relative", "unix:///s?x=1", "redis://u:%ff@h",
  ])
  func otherTextIsRefused(text: String) {
    let error = #expect(throws: RedisError.self) { try RedisURL(text) }
    #expect(error?.code == .invalidURL)
    #expect(error?.message.contains("redis://[user:password@]host:port/db") == true)
  }
}
