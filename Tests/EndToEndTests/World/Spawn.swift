import Foundation
import Glibc

/// posix_spawn with nothing inherited but what is given.
enum Spawn {
  /// Starts a program in a process group; descriptors are pairs of an own one and the child's, nil is /dev/null.
  static func start(
    _ path: String, _ arguments: [String], _ environment: [String: String], group: pid_t, descriptors: [(Int32?, Int32)]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (own, child) in descriptors {
      if let own {
        posix_spawn_file_actions_adddup2(&actions, own, child)
      } else {
        posix_spawn_file_actions_addopen(&actions, child, "/dev/null", O_RDWR, 0)
      }
    }
    // Sockets of the mock cluster must not live on in a child. Closing what is closed already does no harm.
    let own = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.compactMap(Int32.init) ?? []
    for descriptor in own where descriptor > 2 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, group)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var pid: pid_t = 0
    let code = withStrings([path] + arguments) { words in
      withStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
        posix_spawnp(&pid, path, &actions, &attributes, words, variables)
      }
    }
    guard code == 0 else { throw Unmet("\(path) cannot be started: \(String(cString: strerror(code)))") }
    return pid
  }

  private static func withStrings<R>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}

/// A pipe that children do not inherit.
enum Pipe {
  static func make() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Unmet("no pipe: \(String(cString: strerror(errno)))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

/// Ends every process of a world and removes its folder, also when the test process itself is gone: a shell that leads their process
/// group and waits for the end of its standard input.
final class ProcessGuard: Sendable {
  let shell: ChildProcess
  private let input: Int32

  var group: pid_t { shell.pid }

  init(folder: String) throws {
    let pipe = try Pipe.make()
    defer { close(pipe.read) }
    shell = try ChildProcess(
      "/bin/sh", ["-c", "cat >/dev/null; rm -rf \"$1\"; kill -9 0", "guard", folder], name: "guard",
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], group: 0, input: pipe.read)
    input = pipe.write
  }

  /// Ends all that still runs.
  func release() async throws {
    close(input)
    try await shell.ended()
  }
}
