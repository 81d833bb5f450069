import Foundation
import Glibc
import JSON
import Synchronization

/// A started program: what it writes is kept line by line, and its lines and its end can be waited for.
final class ChildProcess: Sendable {
  /// How a process ended.
  enum Ending: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)
  }

  struct State: Sendable {
    var output: [String] = []
    var log: [String] = []
    var ending: Ending?
    /// Pipes that have not been read to their end.
    var openPipes = 2
    /// Set before a test ends it, so that every other end is a failure.
    var isExpectedToEnd = false
  }

  let name: String
  let pid: pid_t
  let state = Monitor(State())

  /// - Parameter group: the process group to join; 0 makes a new one.
  init(
    _ path: String, _ arguments: [String] = [], name: String, environment: [String: String], group: pid_t, input: Int32? = nil
  ) throws {
    self.name = name
    let (output, log) = (try Pipe.make(), try Pipe.make())
    defer { for end in [output.write, log.write] { close(end) } }
    do {
      pid = try Spawn.start(
        path, arguments, environment, group: group, descriptors: [(input, 0), (output.write, 1), (log.write, 2)])
    } catch {
      for end in [output.read, log.read] { close(end) }
      throw error
    }
    keep(output.read) { $0.output.append($1) }
    keep(log.read) { $0.log.append($1) }
    reap()
  }

  var isRunning: Bool { state.read { $0.ending == nil } }
  var log: [String] { state.read { $0.log } }
  var output: [String] { state.read { $0.output } }

  /// Sends a signal, unless the process has ended: its id may belong to another one then.
  func send(_ signal: Int32) {
    state.update { state in
      state.isExpectedToEnd = true
      if state.ending == nil { kill(pid, signal) }
    }
  }

  func expectEnd() { state.update { $0.isExpectedToEnd = true } }

  /// Waits for the end and for all that was written. Throws with the last lines when it does not come.
  @discardableResult
  func ended(within limit: Duration = .seconds(30)) async throws -> Ending {
    expectEnd()
    guard let ending = try await state.wait(within: limit, for: { $0.openPipes == 0 ? $0.ending : nil }) else {
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

  private func keep(_ descriptor: Int32, _ add: @escaping @Sendable (inout State, String) -> Void) {
    let state = state
    Thread.detachNewThread {
      var rest: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { break }
        rest += buffer[..<count]
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = lines.popLast().map(Array.init) ?? []
        let texts = lines.map { String(decoding: $0, as: UTF8.self) }
        if !texts.isEmpty { state.update { state in for text in texts { add(&state, text) } } }
      }
      close(descriptor)
      state.update { state in
        if !rest.isEmpty { add(&state, String(decoding: rest, as: UTF8.self)) }
        state.openPipes -= 1
      }
    }
  }

  private func reap() {
    let (state, pid) = (state, pid)
    Thread.detachNewThread {
      var information = siginfo_t()
      while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
      // Under the lock that `send` holds: nobody signals an id that is free again.
      state.update { state in
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        state.ending = status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
      }
    }
  }
}

/// What a test waited for in vain, and what was known then.
struct Unmet: Error, CustomStringConvertible {
  let description: String

  init(_ what: String, known: String = "") { description = known.isEmpty ? what : "\(what)\n\(known)" }
}
