import Synchronization

/// Waits that a shutdown ends all at once: a worker that leaves does not wait for midnight.
final class StoppableWaits: Sendable {
  private struct State {
    var cancellations: [Int: @Sendable () -> Void] = [:]
    var next = 0
    var isStopped = false
  }

  private let state = Mutex(State())

  var isStopped: Bool { state.withLock(\.isStopped) }
  var count: Int { state.withLock { $0.cancellations.count } }

  /// Does something that ends when its task is cancelled; `nil` after `stop`, when nothing is begun any more.
  func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
    let begun = state.withLock { state -> (Int, Task<Value, Never>)? in
      guard !state.isStopped else { return nil }
      let task = Task { await body() }
      state.next += 1
      state.cancellations[state.next] = { task.cancel() }
      return (state.next, task)
    }
    guard let (ticket, task) = begun else { return nil }
    let value = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    state.withLock { $0.cancellations[ticket] = nil }
    return value
  }

  func stop() {
    let cancellations = state.withLock { state in
      state.isStopped = true
      return Array(state.cancellations.values)
    }
    for cancel in cancellations { cancel() }
  }
}
