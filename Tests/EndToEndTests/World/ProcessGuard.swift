import Glibc
import Processes

/// Ends every process of a world and removes its folder, also when the test process itself is gone: a shell that leads their process
/// group and waits for the end of its standard input.
final class ProcessGuard: Sendable {
  let shell: StartedProgram
  private let input: Int32

  var group: Int32 { shell.pid }

  init(folder: String) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Unmet("no pipe: \(String(cString: strerror(errno)))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    shell = try StartedProgram(
      "/bin/sh", ["-c", "cat >/dev/null; rm -rf \"$1\"; kill -9 0", "guard", folder], name: "guard",
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], group: 0, input: ends[0])
    input = ends[1]
  }

  /// Ends all that still runs.
  func release() async throws {
    close(input)
    try await shell.ended()
  }
}
