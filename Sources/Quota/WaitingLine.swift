import Synchronization

/// One turn at a time, first come first served; a cancelled waiter leaves at once.
final class WaitingLine: Sendable {
  private struct State {
    var isTaken = false
    var nextID = 0
    var waiters: [(id: Int, turn: CheckedContinuation<Bool, Never>)] = []
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  /// Tasks in the line, the one whose turn it is included.
  var count: Int { state.withLock { $0.waiters.count + ($0.isTaken ? 1 : 0) } }

  /// Returns when it is this task's turn, which ends with `leave()`.
  func enter() async throws(CancellationError) {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let hasTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { turn in
        let answer: Bool? = state.withLock { state in
          if state.cancelled.contains(id) { return false }
          guard state.isTaken else {
            state.isTaken = true
            return true
          }
          state.waiters.append((id, turn))
          return nil
        }
        if let answer { turn.resume(returning: answer) }
      }
    } onCancel: {
      let turn = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        state.cancelled.insert(id)
        guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return state.waiters.remove(at: index).turn
      }
      turn?.resume(returning: false)
    }
    state.withLock { _ = $0.cancelled.remove(id) }
    guard hasTurn else { throw CancellationError() }
  }

  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard !state.waiters.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiters.removeFirst().turn
    }
    next?.resume(returning: true)
  }
}
