import Synchronization

/// Wakes one waiting task; raising it while nobody waits is remembered once.
public final class Signal: Sendable {
  private struct State {
    var isRaised = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  public init() {}

  /// May be called from any thread, and under locks of others.
  public func raise() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      if state.waiter == nil { state.isRaised = true }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Returns when the signal was raised since the last return, or when the task is cancelled. One task at a time.
  public func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isRaised = state.withLock { state in
          defer { state.isRaised = false }
          if !state.isRaised && !Task.isCancelled { state.waiter = continuation }
          return state.isRaised || Task.isCancelled
        }
        if isRaised { continuation.resume() }
      }
    } onCancel: {
      raise()
    }
  }
}
