import Synchronization
import Testing

@testable import TubelineCLI

@Suite("Child processes", .timeLimit(.minutes(1)))
struct ChildProcessTests {
  private func run(_ script: String, environment: [String: String] = [:], then act: (ChildProcess) -> Void = { _ in }) async throws
    -> Outcome
  {
    let outcome = Collected()
    let done = Signal()
    let child = try await ChildProcess.start(
      "/bin/sh", ["-c", script], environment: environment, readsOutput: true, onLine: { outcome.add($1) },
      onEnd: {
        outcome.end($0)
        done.raise()
      })
    act(child)
    await done.wait()
    return outcome.value
  }

  @Test func linesAndTheExitCodeArrive() async throws {
    let outcome = try await run("echo one >&2; printf 'no end' >&2; exit 3")
    #expect(outcome.lines == ["one", "no end"])
    #expect(outcome.ending == .exited(3))
  }

  @Test func theEnvironmentIsTheGivenOneAndNothingElse() async throws {
    let outcome = try await run("echo \"$A-$HOME\" >&2", environment: ["A": "b"])
    #expect(outcome.lines == ["b-"])
  }

  @Test func signalsReachIt() async throws {
    let outcome = try await run("exec sleep 1000") { $0.send(15) }
    #expect(outcome.ending == .signalled(15))
  }

  @Test func noDescriptorOfTheParentIsLeftOpen() async throws {
    let outcome = try await run("ls /proc/self/fd | wc -l >&2")
    // Standard streams, and the folder that ls reads.
    #expect(outcome.lines.first.flatMap { Int($0.filter(\.isNumber)) } ?? 99 <= 4)
  }

  @Test func aProgramThatIsNotThereIsAnErrorAtOnce() async {
    await #expect(throws: CommandError.self) {
      try await ChildProcess.start("/nonexistent", environment: [:], onLine: { _, _ in }, onEnd: { _ in })
    }
  }
}

private struct Outcome: Sendable {
  var lines: [String] = []
  var ending: ChildProcess.Ending?
}

private final class Collected: Sendable {
  private let state = Mutex(Outcome())

  var value: Outcome { state.withLock { $0 } }
  func add(_ line: String) { state.withLock { $0.lines.append(line) } }
  func end(_ ending: ChildProcess.Ending) { state.withLock { $0.ending = ending } }
}
