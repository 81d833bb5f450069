import Glibc
import Synchronization
import Testing

@testable import Processes

@Suite("Child processes", .timeLimit(.minutes(1)))
struct ChildProcessTests {
  private func run(_ script: String, environment: [String: String] = [:], then act: (ChildProcess) -> Void = { _ in }) async throws
    -> Outcome
  {
    let lines = Collected()
    let (endings, continuation) = AsyncStream.makeStream(of: ChildProcess.Ending.self)
    let child = try await ChildProcess.start(
      Program("/bin/sh", ["-c", script], environment: environment), onLine: { lines.add($0, $1) },
      onEnd: {
        continuation.yield($0)
        continuation.finish()
      })
    act(child)
    let ending = await endings.first { _ in true }
    return Outcome(output: lines[.output], error: lines[.error], ending: ending)
  }

  @Test func linesAndTheExitCodeArrive() async throws {
    let outcome = try await run("echo one >&2; echo two; printf 'no end' >&2; exit 3")
    #expect(outcome.error == ["one", "no end"])
    #expect(outcome.output == ["two"])
    #expect(outcome.ending == .exited(3))
  }

  @Test func theEnvironmentIsTheGivenOneAndNothingElse() async throws {
    let outcome = try await run("echo \"$A-$HOME\"", environment: ["A": "b"])
    #expect(outcome.output == ["b-"])
  }

  @Test func signalsReachIt() async throws {
    let outcome = try await run("exec sleep 1000") { $0.send(15) }
    #expect(outcome.ending == .signalled(15))
  }

  @Test func noDescriptorOfTheParentIsLeftOpen() async throws {
    let outcome = try await run("ls /proc/self/fd | wc -l")
    // Standard streams, and the folder that ls reads.
    #expect(outcome.output.first.flatMap { Int($0.filter(\.isNumber)) } ?? 99 <= 4)
  }

  /// A child that ends with this process gets its signal when the thread ends that started it.
  @Test func allChildrenAreStartedByOneThread() async throws {
    let threads = try await withThrowingTaskGroup(of: pthread_t.self) { group in
      for _ in 0..<20 { group.addTask { try await StartingThread.shared.run { pthread_self() } } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(threads.count == 1 && !threads.contains(pthread_self()))
  }

  @Test func aNameIsLookedUpInThePath() {
    #expect(Program.path(of: "sh")?.hasSuffix("/sh") == true)
    #expect(Program.path(of: "no-such-program") == nil)
    #expect(Program.path(of: "./x") == "./x")
  }

  @Test(arguments: ["/nonexistent", "no-such-program"])
  func aProgramThatIsNotThereIsAnErrorAtOnce(_ name: String) async {
    await #expect(throws: ProcessError.self) {
      try await ChildProcess.start(Program(name, environment: [:]), onLine: { _, _ in }, onEnd: { _ in })
    }
  }
}

private struct Outcome: Sendable {
  let output: [String]
  let error: [String]
  let ending: ChildProcess.Ending?
}

private final class Collected: Sendable {
  private let lines = Mutex<[(ChildProcess.Stream, String)]>([])

  func add(_ stream: ChildProcess.Stream, _ line: String) { lines.withLock { $0.append((stream, line)) } }

  subscript(stream: ChildProcess.Stream) -> [String] { lines.withLock { $0.filter { $0.0 == stream }.map(\.1) } }
}
