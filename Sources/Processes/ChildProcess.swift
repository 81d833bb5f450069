import CProcess
import Foundation
import Glibc
import Synchronization

/// A program started by this one, read line by line.
public final class ChildProcess: Sendable {
  public enum Stream: Sendable { case output, error }

  /// How a process ended.
  public enum Ending: Sendable, Equatable, CustomStringConvertible {
    case exited(Int32)
    case signalled(Int32)

    public var description: String {
      switch self {
      case .exited(let code): "exit code \(code)"
      case .signalled(let number): "signal \(number)"
      }
    }
  }

  public let id: Int32
  private let isReaped = Mutex(false)

  private init(id: Int32) { self.id = id }

  /// Starts a program that receives SIGTERM when this process ends, however that ends.
  ///
  /// On a thread of its own, because that is bound to the thread which started it. (The main actor's is none that lasts: where libdispatch
  /// runs the main queue on its pool, the thread ends when it has been idle for some seconds, and the child got its signal then.)
  ///
  /// - Parameters:
  ///   - onLine: called on threads of this child; a slow receiver makes the child wait.
  ///   - onEnd: called once, after the last line.
  public static func start(
    _ program: Program, onLine: @escaping @Sendable (Stream, String) -> Void, onEnd: @escaping @Sendable (Ending) -> Void
  ) async throws -> ChildProcess {
    try await StartingThread.shared.run { try launch(program, signalAtEnd: SIGTERM, onLine, onEnd) }
  }

  /// Starts a program that goes on when this process ends: somebody else has to end its process group.
  public static func startDetached(
    _ program: Program, onLine: @escaping @Sendable (Stream, String) -> Void, onEnd: @escaping @Sendable (Ending) -> Void
  ) throws -> ChildProcess {
    try launch(program, signalAtEnd: 0, onLine, onEnd)
  }

  /// Does nothing once the child has ended.
  public func send(_ signal: Int32) {
    isReaped.withLock { if !$0 { kill(id, signal) } }
  }

  private static func launch(
    _ program: Program, signalAtEnd: Int32, _ onLine: @escaping @Sendable (Stream, String) -> Void,
    _ onEnd: @escaping @Sendable (Ending) -> Void
  ) throws -> ChildProcess {
    let error = try Pipe()
    defer { error.closeWriting() }
    let output = program.readsOutput ? try Pipe() : nil
    defer { output?.closeWriting() }
    let child = ChildProcess(id: try program.fork(output: output?.writing, error: error.writing, signalAtEnd: signalAtEnd))
    let isRead = DispatchGroup()
    if let output {
      isRead.enter()
      thread("output") {
        output.readLines { onLine(.output, $0) }
        isRead.leave()
      }
    }
    thread("error") {
      error.readLines { onLine(.error, $0) }
      isRead.wait()
      onEnd(child.wait())
    }
    return child
  }

  private func wait() -> Ending {
    // Only looks: as long as the child is not reaped, its id belongs to nobody else.
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    var status: Int32 = 0
    isReaped.withLock { isReaped in
      isReaped = true
      waitpid(id, &status, 0)
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  private static func thread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = "child.\(name)"
    thread.stackSize = 512 << 10
    thread.start()
  }
}
