import Messages
public import Pipeline
import Synchronization

/// Publishes into a MemoryBroker, and fails or waits as the test commands.
public final class MemoryDelivery: Delivery {
  private struct State: Sendable {
    var failures: [DeliveryFailure] = []
    var isHeld = false
    var held: [Int: CheckedContinuation<Void, Never>] = [:]
    var next = 0
    var settles = 0
    var whenSettling: (@Sendable () async -> Void)?
    var isClosed = false
    var concurrent = 0
    var mostConcurrent = 0
  }

  private let broker: MemoryBroker
  private let state = Mutex(State())
  /// Each call of `deliver`, and each that succeeded.
  public let attempts = EventLog<DeliveryBatch>()
  public let delivered = EventLog<DeliveryBatch>()
  /// Refuses outputs of more bytes than this, headers included.
  public let largestOutput: Int
  /// Whether the others are published when it refuses one, as without a transaction.
  public let isTransactional: Bool

  public init(_ broker: MemoryBroker, largestOutput: Int = .max, isTransactional: Bool = true) {
    self.broker = broker
    self.largestOutput = largestOutput
    self.isTransactional = isTransactional
  }

  /// The next deliveries fail, one by one.
  public func failNext(_ failures: DeliveryFailure...) { state.withLock { $0.failures += failures } }

  /// Deliveries wait from now on until `letGo`; a cancelled one ends with a retriable failure.
  public func hold() { state.withLock { $0.isHeld = true } }

  public func letGo() {
    let held = state.withLock { state in
      defer { state.held = [:] }
      state.isHeld = false
      return Array(state.held.values)
    }
    for continuation in held { continuation.resume() }
  }

  public var settles: Int { state.withLock { $0.settles } }
  public var isClosed: Bool { state.withLock { $0.isClosed } }
  /// How many calls of `deliver` ran at the same time at most.
  public var mostConcurrent: Int { state.withLock { $0.mostConcurrent } }

  public func deliver(_ batch: DeliveryBatch) async throws(DeliveryFailure) {
    state.withLock { state in
      state.concurrent += 1
      state.mostConcurrent = max(state.mostConcurrent, state.concurrent)
    }
    defer { state.withLock { $0.concurrent -= 1 } }
    attempts.append(batch)
    await waitWhileHeld()
    if Task.isCancelled { throw .retriable("cancelled") }
    if let failure = state.withLock({ $0.failures.isEmpty ? nil : $0.failures.removeFirst() }) { throw failure }
    if let index = batch.outputs.firstIndex(where: { Self.size($0) > largestOutput }) {
      let refusal = DeliveryFailure.tooLarge(output: index, "more than \(largestOutput) bytes")
      guard !isTransactional else { throw refusal }
      let published = batch.outputs.indices.filter { Self.size(batch.outputs[$0]) <= largestOutput }
      broker.commit(published.map { batch.outputs[$0] }, offsets: [:])
      throw .partial(published: published, refusal)
    }
    broker.commit(batch.outputs, offsets: batch.offsets)
    delivered.append(batch)
  }

  private func waitWhileHeld() async {
    let ticket = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isHeld = state.withLock { state in
          guard state.isHeld, !Task.isCancelled else { return false }
          state.held[ticket] = continuation
          return true
        }
        if !isHeld { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.held.removeValue(forKey: ticket) }?.resume()
    }
  }

  private static func size(_ output: OutgoingMessage) -> Int {
    (output.key?.count ?? 0) + (output.value?.count ?? 0) + output.headers.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
  }

  /// What happens meanwhile, whenever `settle` is called.
  public func whenSettling(_ action: @escaping @Sendable () async -> Void) { state.withLock { $0.whenSettling = action } }

  public func settle() async throws(DeliveryFailure) {
    let action = state.withLock { state in
      state.settles += 1
      return state.whenSettling
    }
    await action?()
  }

  public func close() async { state.withLock { $0.isClosed = true } }
}
