import Synchronization

/// The outcome of one `send`: counts delivery reports down and wakes the sender once.
///
/// Each message's opaque is the address of its own slot, so a report costs no allocation and no lookup.
final class DeliveryBatch: @unchecked Sendable {
  // because slots are written before they are shared, and everything else is in `state`
  private let slots: UnsafeMutablePointer<Unmanaged<DeliveryBatch>>
  private let count: Int
  private let state: Mutex<State>

  private struct State {
    var remaining: Int
    var failures: [ProduceError.Failure] = []
    var waiter: CheckedContinuation<[ProduceError.Failure], Never>?
  }

  init(count: Int) {
    self.count = count
    slots = .allocate(capacity: count)
    state = Mutex(State(remaining: count))
    slots.initialize(repeating: .passUnretained(self), count: count)
  }

  // The sender holds the batch until `wait` returns, which is after the last report.
  deinit { slots.deallocate() }

  func opaque(at index: Int) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(slots + index) }

  /// The batch and the position behind an opaque.
  static func resolve(_ opaque: UnsafeMutableRawPointer) -> (batch: Unmanaged<DeliveryBatch>, index: Int) {
    let slot = opaque.assumingMemoryBound(to: Unmanaged<DeliveryBatch>.self)
    let batch = slot.pointee
    return (batch, batch._withUnsafeGuaranteedRef { slot - $0.slots })
  }

  /// Takes reports of so many records, the failed ones among them by position.
  func settle(_ settled: Int, failures: [ProduceError.Failure] = []) {
    let resumed = state.withLock { state -> (CheckedContinuation<[ProduceError.Failure], Never>, [ProduceError.Failure])? in
      state.remaining -= settled
      state.failures += failures
      guard state.remaining == 0, let waiter = state.waiter else { return nil }
      state.waiter = nil
      return (waiter, state.failures)
    }
    if let (waiter, failures) = resumed { waiter.resume(returning: failures) }
  }

  /// The records from this position on were never sent.
  func refuse(from index: Int, _ error: KafkaError) {
    settle(count - index, failures: (index..<count).map { ProduceError.Failure(index: $0, error: error) })
  }

  /// Returns after the last report, with what failed.
  func wait() async -> [ProduceError.Failure] {
    await withCheckedContinuation { continuation in
      let finished = state.withLock { state -> [ProduceError.Failure]? in
        if state.remaining == 0 { return state.failures }
        state.waiter = continuation
        return nil
      }
      if let finished { continuation.resume(returning: finished) }
    }
  }
}
