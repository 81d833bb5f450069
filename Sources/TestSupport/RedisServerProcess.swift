public import Foundation
import Processes
import Synchronization

/// A private redis-server on a Unix socket in a directory of its own; nothing is kept on disk.
public final class RedisServerProcess: Sendable {
  public struct LaunchError: Error, CustomStringConvertible {
    public let description: String
  }

  private struct Running {
    let process: ChildProcess
    let ending: Task<Void, Never>
  }

  public let directory: URL
  private let arguments: [String]
  private let running = Mutex<Running?>(nil)

  /// Whether tests that need it should run. Without the program they are skipped, with a reason, except where CI is set: there they fail.
  public static let isUsable: Bool = {
    if Program.path(of: "redis-server") != nil || ProcessInfo.processInfo.environment["CI"] != nil { return true }
    FileHandle.standardError.write(Data("SKIPPED: tests with a real Redis, because redis-server is not installed\n".utf8))
    return false
  }()

  /// Starts the server and returns when it accepts connections. `arguments` are further options, such as `["--requirepass", "x"]`.
  public static func start(arguments: [String] = []) async throws -> RedisServerProcess {
    let server = try RedisServerProcess(arguments: arguments)
    try await server.launch()
    return server
  }

  private init(arguments: [String]) throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "redis-\(UInt32.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    self.arguments = arguments
  }

  deinit { remove() }

  public var socket: String { directory.appending(path: "socket").path }

  /// `unix:///…/socket`
  public var url: String { "unix://\(socket)" }

  /// Starts it again after `stop()`, at the same address and without its data.
  public func launch() async throws {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let (endings, end) = AsyncStream.makeStream(of: Never.self)
    let options = ["--port", "0", "--unixsocket", socket, "--dir", directory.path, "--save", "", "--appendonly", "no"] + arguments
    let process = try await ChildProcess.start(
      Program("redis-server", options, environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"]),
      onLine: { continuation.yield($1) },
      onEnd: { _ in
        continuation.finish()
        end.finish()
      })
    running.withLock { $0 = Running(process: process, ending: Task { for await _ in endings {} }) }
    var log = ""
    for await line in lines {
      if line.contains("eady to accept connections") { return }
      log += line + "\n"
    }
    throw LaunchError(description: "redis-server did not start: \(log)")
  }

  /// Kills the server, as a crash would, and returns when it has ended.
  public func stop() async {
    guard let ended = kill() else { return }
    await ended.value
    try? FileManager.default.removeItem(atPath: socket)
  }

  /// Kills it and removes its directory.
  public func remove() {
    _ = kill()
    try? FileManager.default.removeItem(at: directory)
  }

  private func kill() -> Task<Void, Never>? {
    let running = running.withLock { $0.take() }
    running?.process.send(SIGKILL)
    return running?.ending
  }
}
