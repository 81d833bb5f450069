import Foundation
import Glibc
import Processes
import TestSupport

/// A redis-server that speaks TLS only, and stunnel in front of it, as docs/security.md sets them up.
final class TLSProxy: Sendable {
  let folder: ScratchDirectory
  private let redis: RedisServerProcess
  private let stunnel: ChildProcess
  /// What stunnel says, until it ends.
  let log: AsyncStream<String>

  static let isUsable: Bool = {
    let missing = ["redis-server", "stunnel4", "openssl"].filter { Program.path(of: $0) == nil }
    if missing.isEmpty || ProcessInfo.processInfo.environment["CI"] != nil { return true }
    FileHandle.standardError.write(Data("SKIPPED: tests of a TLS proxy, because \(missing) are not installed\n".utf8))
    return false
  }()

  /// - Parameter trusts: which authority stunnel trusts: the server's, or another one.
  init(trusts authority: Authority, host: String = "localhost") async throws {
    folder = try ScratchDirectory()
    let path = folder.url.path
    let port = try FreePort.find()
    try await Self.makeCertificates(in: path)
    redis = try await RedisServerProcess.start(arguments: [
      "--tls-port", "\(port)", "--tls-cert-file", "\(path)/server.crt", "--tls-key-file", "\(path)/server.key", "--tls-ca-cert-file",
      "\(path)/ca.crt", "--tls-auth-clients", "no", "--bind", "127.0.0.1",
    ])
    let configuration = """
      foreground = yes
      syslog = no
      pid =
      debug = info

      [redis]
      client = yes
      accept = \(path)/redis.sock
      connect = 127.0.0.1:\(port)
      CAfile = \(path)/\(authority.rawValue).crt
      verifyChain = yes
      checkHost = \(host)

      """
    try Data(configuration.utf8).write(to: folder.url.appending(path: "stunnel.conf"))
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let (starts, start) = AsyncStream.makeStream(of: Void.self)
    stunnel = try await ChildProcess.start(
      Program("stunnel4", ["\(path)/stunnel.conf"], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"]),
      onLine: { _, text in
        line.yield(text)
        if text.contains("Configuration successful") || text.contains("Service [redis]") { start.yield() }
      },
      onEnd: { _ in
        line.finish()
        start.finish()
      })
    log = lines
    // The socket is bound before the configuration is called successful.
    for await _ in starts where access("\(path)/redis.sock", F_OK) == 0 { break }
  }

  enum Authority: String {
    case servers = "ca"
    case another = "other"
  }

  var url: String { "unix://\(folder.url.path)/redis.sock" }

  deinit {
    stunnel.send(SIGKILL)
    redis.remove()
  }

  private static func makeCertificates(in path: String) async throws {
    let script = """
      set -e; cd "$0"
      for name in ca other; do
        openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj "/CN=$name" -keyout $name.key -out $name.crt
      done
      openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout server.key -out server.csr
      printf 'subjectAltName=DNS:localhost' > names
      openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 1 -extfile names -out server.crt
      """
    let (endings, end) = AsyncStream.makeStream(of: ChildProcess.Ending.self)
    _ = try await ChildProcess.start(
      Program("/bin/sh", ["-c", script, path], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"]), onLine: { _, _ in },
      onEnd: {
        end.yield($0)
        end.finish()
      })
    for await ending in endings where ending != .exited(0) { throw Failure(description: "openssl: \(ending)") }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
