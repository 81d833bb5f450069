import Synchronization

/// Lets senders wait until messages have left a full queue.
final class DeliveryProgress: Sendable {
  private struct State {
    var generation: UInt64 = 0
    var nextWaiter: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var cancelled: Set<UInt64> = []
  }

  private let state = Mutex(State())

  /// Rises whenever messages have left the queue.
  var generation: UInt64 { state.withLock { $0.generation } }

  func advance() {
    let waiters = state.withLock { state in
      state.generation += 1
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns once the generation has passed the one seen, or when the task is cancelled.
  func wait(beyond seen: UInt64) async {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          if state.generation != seen || state.cancelled.contains(id) { return true }
          state.waiters[id] = continuation
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.cancelled.insert(id)
        return state.waiters.removeValue(forKey: id)
      }
      waiter?.resume()
    }
    state.withLock { _ = $0.cancelled.remove(id) }
  }
}
