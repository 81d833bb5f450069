import Glibc
import Messages
import Monitoring
import Processes
import Synchronization
import Telemetry

/// The workers of a harvest: started, watched, started again when they die, and ended.
final class WorkerFleet: Sendable {
  struct Slot: Hashable, Sendable, CustomStringConvertible {
    let stage: StageName
    let number: Int

    var description: String { "tubeline-\(stage.rawValue)" + (number > 1 ? " \(number)" : "") }
  }

  enum Event: Sendable {
    case log(Slot, WorkerLogLine)
    /// A worker that was not told to end; with the last thing it said.
    case died(Slot, ChildProcess.Ending, lastWords: String)
  }

  private struct State {
    var running: [Slot: ChildProcess] = [:]
    var lastWords: [Slot: String] = [:]
    var events: [Event] = []
    var isStopping = false
    /// Ended before they were entered as running.
    var early: Set<Slot> = []
  }

  private let folder: String
  private let environment: [String: String]
  private let log: ByteOutput?
  private let signal: Signal
  private let state = Mutex(State())
  // What a person would read; beyond it, workers are failing faster than anybody looks.
  private static let mostEvents = 5000

  /// - Parameters:
  ///   - folder: where the executables are.
  ///   - log: receives every line of every worker.
  ///   - signal: raised when there are events.
  init(folder: String, environment: [String: String], log: ByteOutput?, signal: Signal) {
    self.folder = folder
    self.environment = environment
    self.log = log
    self.signal = signal
  }

  func start(_ slot: Slot) async throws {
    let child = try await ChildProcess.start(
      Program("\(folder)/tubeline-\(slot.stage.rawValue)", environment: environment, readsOutput: false),
      onLine: { _, line in self.read(line, slot) }, onEnd: { self.ended(slot, $0) })
    let isLate = state.withLock { state in
      // A child may end before this line; then `ended` has been here already, and found nobody to remove.
      if state.early.remove(slot) == nil { state.running[slot] = child }
      return state.isStopping
    }
    if isLate { child.send(SIGTERM) }
  }

  private func read(_ text: String, _ slot: Slot) {
    try? log?.write(text + "\n")
    let line = WorkerLogLine(text)
    state.withLock { state in
      if line.level >= .notice { state.lastWords[slot] = line.text }
      let matters = line.level >= .warning || line.beginsQuotaWait != nil || line.endsQuotaWait != nil
      if matters && state.events.count < Self.mostEvents { state.events.append(.log(slot, line)) }
    }
    signal.raise()
  }

  private func ended(_ slot: Slot, _ ending: ChildProcess.Ending) {
    state.withLock { state in
      if state.running.removeValue(forKey: slot) == nil { state.early.insert(slot) }
      if !state.isStopping { state.events.append(.died(slot, ending, lastWords: state.lastWords[slot] ?? "")) }
    }
    signal.raise()
  }

  func takeEvents() -> [Event] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  var runningCount: Int { state.withLock { $0.running.count } }

  /// Ends every worker: politely, and after the grace by force. Returns when all are gone.
  func stop(grace: Duration) async {
    let children = state.withLock { state in
      state.isStopping = true
      return Array(state.running.values)
    }
    for child in children { child.send(SIGTERM) }
    let clock = ContinuousClock()
    let deadline = clock.now + grace
    while runningCount > 0 {
      if clock.now >= deadline {
        for child in state.withLock({ Array($0.running.values) }) { child.send(SIGKILL) }
      }
      await signal.wait()
    }
    try? log?.flush()
  }
}
