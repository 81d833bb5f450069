public import Foundation
import Synchronization

/// A private redis-server on a Unix socket in a directory of its own; nothing is kept on disk.
public final class RedisServerProcess: Sendable {
  public struct LaunchError: Error, CustomStringConvertible {
    public let description: String
  }

  public let directory: URL
  private let arguments: [String]
  private let process = Mutex<Process?>(nil)

  /// Whether tests that need it should run. Without the program they are skipped, with a reason, except where CI is set: there they fail.
  public static let isUsable: Bool = {
    if executable() != nil || ProcessInfo.processInfo.environment["CI"] != nil { return true }
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
    guard let program = Self.executable() else { throw LaunchError(description: "redis-server is not installed") }
    let process = Process()
    process.executableURL = program
    process.arguments = ["--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--daemonize", "no"] + arguments
    process.currentDirectoryURL = directory
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    output.fileHandleForReading.readabilityHandler = { handle in
      let data = handle.availableData
      if data.isEmpty {
        handle.readabilityHandler = nil
        continuation.finish()
      } else {
        continuation.yield(String(decoding: data, as: UTF8.self))
      }
    }
    // Other children may hold the pipe open, so its end alone does not tell that the server is gone.
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    self.process.withLock { $0 = process }
    var log = ""
    for await text in lines {
      log += text
      if log.contains("eady to accept connections") { return }
    }
    throw LaunchError(description: "redis-server did not start: \(log)")
  }

  /// Kills the server, as a crash would.
  public func stop() {
    let process = process.withLock { process in
      defer { process = nil }
      return process
    }
    guard let process else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: socket)
  }

  /// Stops it and removes its directory.
  public func remove() {
    stop()
    try? FileManager.default.removeItem(at: directory)
  }

  private static func executable() -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    return (path.split(separator: ":").map(String.init) + ["/usr/bin", "/usr/local/bin"])
      .map { URL(filePath: $0).appending(path: "redis-server") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
