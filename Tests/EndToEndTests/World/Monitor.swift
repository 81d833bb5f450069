import Synchronization

/// A value that tests can wait on: each change wakes those who wait, and each wait has a deadline.
final class Monitor<Value: Sendable>: Sendable {
  private struct Guarded {
    var value: Value
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let guarded: Mutex<Guarded>

  init(_ value: Value) { guarded = Mutex(Guarded(value: value)) }

  func read<R: Sendable>(_ body: (Value) -> R) -> R { guarded.withLock { body($0.value) } }

  @discardableResult
  func update<R: Sendable>(_ body: (inout Value) -> R) -> R {
    let (result, waiters) = guarded.withLock { guarded in
      let result = body(&guarded.value)
      defer { guarded.waiters = [] }
      return (result, guarded.waiters)
    }
    for waiter in waiters { waiter.resume() }
    return result
  }

  /// The first answer of the condition that is not nil; nil when there was none in time. Throws when the test is cancelled.
  func wait<R: Sendable>(within limit: Duration, for condition: (Value) -> R?) async throws -> R? {
    let deadline = ContinuousClock.now + limit
    let timer = Task { [weak self] in
      try await Task.sleep(until: deadline, clock: .continuous)
      self?.update { _ in }
    }
    defer { timer.cancel() }
    while true {
      try Task.checkCancellation()
      if let answer = read(condition) { return answer }
      guard ContinuousClock.now < deadline else { return nil }
      await change(unless: { condition($0) != nil || ContinuousClock.now >= deadline })
    }
  }

  private func change(unless isDue: (Value) -> Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = guarded.withLock { guarded in
          guard !Task.isCancelled, !isDue(guarded.value) else { return false }
          guarded.waiters.append(continuation)
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      update { _ in }
    }
  }
}
