import Foundation
import JSON
import Processes

/// A started program: what it writes is kept line by line, and its lines and its end can be waited for.
final class StartedProgram: Sendable {
  struct State: Sendable {
    var output: [String] = []
    var log: [String] = []
    var ending: ChildProcess.Ending?
    /// Set before a test ends it, so that every other end is a failure.
    var isExpectedToEnd = false
  }

  let name: String
  let state = Monitor(State())
  private let process: ChildProcess

  /// - Parameter group: the process group to join; 0 makes a new one.
  init(
    _ path: String, _ arguments: [String] = [], name: String, environment: [String: String], group: Int32, input: Int32? = nil
  ) throws {
    self.name = name
    // Its group is ended by a guard, also when the test process is gone.
    process = try ChildProcess.startDetached(
      Program(path, arguments, environment: environment, input: input, group: group),
      onLine: { [state] stream, line in
        state.update { state in stream == .output ? state.output.append(line) : state.log.append(line) }
      },
      onEnd: { [state] ending in state.update { $0.ending = ending } })
  }

  var pid: Int32 { process.id }
  var isRunning: Bool { state.read { $0.ending == nil } }
  var log: [String] { state.read { $0.log } }
  var output: [String] { state.read { $0.output } }

  /// Sends a signal, unless the process has ended: its id may belong to another one then.
  func send(_ signal: Int32) {
    expectEnd()
    process.send(signal)
  }

  func expectEnd() { state.update { $0.isExpectedToEnd = true } }

  /// Waits for the end and for all that was written. Throws with the last lines when it does not come.
  @discardableResult
  func ended(within limit: Duration = .seconds(30)) async throws -> ChildProcess.Ending {
    expectEnd()
    guard let ending = try await state.wait(within: limit, for: { $0.ending }) else {
      throw Unmet("\(name) has not ended after \(limit)", known: tail())
    }
    return ending
  }

  /// Waits for a line of standard error.
  @discardableResult
  func logged(_ part: String, within limit: Duration = .seconds(30)) async throws -> String {
    try await line(\.log, within: limit, "log line with \"\(part)\"") { $0.contains(part) }
  }

  /// Waits until a worker has been given partitions; the first rebalance may give it none.
  func joined() async throws {
    _ = try await line(\.log, within: .seconds(60), "assignment of partitions") {
      $0.contains("Partitions assigned") && !$0.contains("\"partitions\":\"\"")
    }
  }

  /// Waits until a worker holds so many partitions.
  func holds(_ partitions: Int, within limit: Duration = .seconds(60)) async throws {
    let isThere = try await state.wait(within: limit) { Self.partitions($0.log) == partitions ? true : nil }
    if isThere == nil { throw Unmet("\(name) does not hold \(partitions) partitions after \(limit)", known: tail()) }
  }

  private static func partitions(_ log: [String]) -> Int {
    log.reduce(0) { held, line in
      guard line.contains("\"message\":\"Partitions "), let entry = try? JSONTree.parse(Array(line.utf8)) else { return held }
      let count = (entry["partitions"]?.string ?? "").split(separator: ",").count
      return entry["message"] == "Partitions assigned" ? held + count : held - count
    }
  }

  /// Waits for the first line of standard output.
  func firstLine(within limit: Duration = .seconds(30)) async throws -> String {
    try await line(\.output, within: limit, "line on standard output") { _ in true }
  }

  private func line(
    _ lines: any KeyPath<State, [String]> & Sendable, within limit: Duration, _ what: String, _ matches: (String) -> Bool
  ) async throws -> String {
    let found = try await state.wait(within: limit) { state -> String?? in
      if let line = state[keyPath: lines].first(where: matches) { return .some(line) }
      return state.ending == nil ? nil : .some(nil)
    }
    guard let line = found ?? nil else { throw Unmet("\(name) gave no \(what) in \(limit)", known: tail()) }
    return line
  }

  /// The last lines, for messages.
  func tail(_ count: Int = 12) -> String {
    state.read { state in
      let ending = state.ending.map { ", ended: \($0)" } ?? ""
      return "--- \(name) (\(pid)\(ending))\n" + state.log.suffix(count).joined(separator: "\n")
    }
  }
}

/// What a test waited for in vain, and what was known then.
struct Unmet: Error, CustomStringConvertible {
  let description: String

  init(_ what: String, known: String = "") { description = known.isEmpty ? what : "\(what)\n\(known)" }
}
