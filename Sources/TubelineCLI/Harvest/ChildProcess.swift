import CProcess
import Foundation
import Synchronization

/// A program started by this one; it ends with this one, however that ends.
final class ChildProcess: Sendable {
  enum Stream: Sendable { case output, error }

  enum Ending: Sendable, Equatable, CustomStringConvertible {
    case exited(Int32)
    case signalled(Int32)

    var description: String {
      switch self {
      case .exited(let code): "exit code \(code)"
      case .signalled(let number): "signal \(number)"
      }
    }
  }

  private let pid: pid_t
  private let isReaped = Mutex(false)

  private init(pid: pid_t) { self.pid = pid }

  /// Lines and the end come on threads of this child; a slow receiver makes the child wait.
  ///
  /// On the main actor, because a child is told to end when the thread that started it ends, and the main thread ends last.
  @MainActor static func start(
    _ path: String, _ arguments: [String] = [], environment: [String: String], readsOutput: Bool = false,
    onLine: @escaping @Sendable (Stream, String) -> Void, onEnd: @escaping @Sendable (Ending) -> Void
  ) throws -> ChildProcess {
    let error = try Pipe()
    let output = readsOutput ? try Pipe() : nil
    var failure: Int32 = 0
    let pid = withCStrings([path] + arguments) { arguments in
      withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
        process_start(path, arguments, environment, output?.writing ?? -1, error.writing, &failure)
      }
    }
    error.closeWriting()
    output?.closeWriting()
    guard pid > 0, failure == 0 else {
      if pid > 0 { waitpid(pid, nil, 0) }
      error.closeReading()
      output?.closeReading()
      throw CommandError("\(path) cannot be started: \(String(cString: strerror(failure)))")
    }
    let child = ChildProcess(pid: pid)
    if let output {
      thread("output") { output.readLines { onLine(.output, $0) } }
    }
    thread("error") {
      error.readLines { onLine(.error, $0) }
      onEnd(child.wait())
    }
    return child
  }

  /// Does nothing once the child has ended.
  func send(_ signal: Int32) {
    isReaped.withLock { if !$0 { kill(pid, signal) } }
  }

  private func wait() -> Ending {
    // Only looks: as long as the child is not reaped, its id belongs to nobody else.
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    var status: Int32 = 0
    isReaped.withLock { isReaped in
      isReaped = true
      waitpid(pid, &status, 0)
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  private static func thread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = "tubeline.child.\(name)"
    thread.stackSize = 512 << 10
    thread.start()
  }
}

private struct Pipe: Sendable {
  let reading: Int32
  let writing: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CommandError("no pipe: \(String(cString: strerror(errno)))") }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  func closeWriting() { close(writing) }
  func closeReading() { close(reading) }

  /// Calls back for each line until the other end is closed; lines longer than 64 kB are cut.
  func readLines(_ body: (String) -> Void) {
    defer { closeReading() }
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    var line: [UInt8] = []
    while true {
      let count = read(reading, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      for byte in buffer.prefix(count) {
        if byte == 0x0A {
          body(String(decoding: line, as: UTF8.self))
          line.removeAll(keepingCapacity: true)
        } else if line.count < 64 << 10 {
          line.append(byte)
        }
      }
    }
    if !line.isEmpty { body(String(decoding: line, as: UTF8.self)) }
  }
}

private func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
