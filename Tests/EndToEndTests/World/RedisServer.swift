import Foundation
import Glibc

/// A redis-server of a test's own, on a Unix socket, so that no port is guessed.
struct RedisServer: Sendable {
  let process: StartedProgram
  let address: String

  /// - Parameters:
  ///   - clock: the time at which its clock starts, as `2026-07-01 06:59:40` in UTC; nil is the true time.
  ///   - persists: whether every write is on the disk before it is answered, to be read again by the next server in the folder.
  ///   - users: a file with its users, in the form of ACL SETUSER.
  init(folder: String, group: Int32, clock: String? = nil, persists: Bool = false, users: String? = nil) async throws {
    let socket = "\(folder)/redis.sock"
    var environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "TZ": "UTC"]
    if let clock {
      environment["LD_PRELOAD"] = try Self.fakeTimeLibraries()
      environment["FAKETIME"] = "@\(clock)"
      // Timers go by the monotonic clock, which stays true.
      environment["DONT_FAKE_MONOTONIC"] = "1"
    }
    process = try StartedProgram(
      "redis-server",
      ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder]
        + (persists ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"])
        + (users.map { ["--aclfile", $0] } ?? []), name: "redis-server",
      environment: environment, group: group)
    address = "unix://\(socket)"
    _ = try await process.state.wait(within: .seconds(20)) { state in
      state.output.contains { $0.contains("ready to accept connections") } || state.ending != nil ? true : nil
    }
    guard process.isRunning else { throw Unmet("redis-server did not start", known: process.output.joined(separator: "\n")) }
  }

  // libfaketime calls for the time before Debian's jemalloc is ready, unless the C library comes right behind it.
  private static func fakeTimeLibraries() throws -> String {
    let maps = try ProcessFile.text("/proc/self/maps")
    let line = maps.split(separator: "\n").first { $0.hasSuffix("/libc.so.6") }
    guard let path = line?.split(separator: " ").last, let fakeTime = Requirement.fakeTimeLibrary else {
      throw Unmet("libfaketime is missing; scripts/install-packages installs it")
    }
    return "\(fakeTime):\(path)"
  }
}
