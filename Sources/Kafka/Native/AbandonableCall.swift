import Synchronization

/// One call whose caller may stop waiting: the first outcome counts, later ones are dropped.
final class AbandonableCall<R: Sendable>: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<R, any Error>)
    case settled
  }

  private let state = Mutex(State.idle)

  /// Returns whether the call shall be made; a call that was cancelled before is refused.
  func begin(_ continuation: CheckedContinuation<R, any Error>) -> Bool {
    let mayBegin = state.withLock { state in
      guard case .idle = state else { return false }
      state = .waiting(continuation)
      return true
    }
    if !mayBegin { continuation.resume(throwing: KafkaError.abandoned) }
    return mayBegin
  }

  func settle(_ outcome: Result<R, any Error>) {
    let waiter = state.withLock { state -> CheckedContinuation<R, any Error>? in
      defer { state = .settled }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiter?.resume(with: outcome)
  }
}
