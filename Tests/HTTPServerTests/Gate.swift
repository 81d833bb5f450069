import Synchronization

/// Lets tasks wait until a number of arrivals was counted.
final class Gate: Sendable {
  private let state: Mutex<(missing: Int, waiters: [CheckedContinuation<Void, Never>])>

  init(_ arrivals: Int = 1) { state = Mutex((arrivals, [])) }

  func arrive() {
    let waiters = state.withLock { state in
      state.missing -= 1
      guard state.missing == 0 else { return [] as [CheckedContinuation<Void, Never>] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func passed() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if state.missing > 0 { state.waiters.append(continuation) }
        return state.missing <= 0
      }
      if isOpen { continuation.resume() }
    }
  }
}
