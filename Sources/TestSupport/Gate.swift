import Synchronization

/// Holds callers back until a test opens it; cancelled callers leave with an error.
public final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen: Bool
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    var next = 0
  }

  private let state: Mutex<State>

  public init(isOpen: Bool = false) { state = Mutex(State(isOpen: isOpen)) }

  public func open() {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      state.isOpen = true
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: true) }
  }

  public func pass() async throws(CancellationError) {
    let ticket = state.withLock { state in
      state.next += 1
      return state.next
    }
    let passed = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          if Task.isCancelled { return false }
          if state.isOpen { return true }
          state.waiting[ticket] = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(returning: false)
    }
    if !passed { throw CancellationError() }
  }
}
