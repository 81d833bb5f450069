import Kafka
import Synchronization
import Telemetry

/// A consumer that is polled at each wake-up, and whose events and records tests can wait for.
final class ConsumerProbe: Sendable {
  let consumer: Consumer
  private let wake: AsyncStream<Void>.Continuation
  private let state = Mutex(State())

  private struct State {
    var events: [ConsumerEvent] = []
    var wakes = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  init(configuration: KafkaConfiguration, groupID: String, instanceID: String? = nil) throws {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.wake = wake
    consumer = try Consumer(
      configuration: configuration, groupID: groupID, instanceID: instanceID, clientID: "test", logger: .silent,
      wake: { wake.yield() })
    Task { [weak self] in
      for await _ in wakes { self?.poll() }
    }
  }

  deinit { wake.finish() }

  private func poll() {
    let new = consumer.poll()
    let waiters = state.withLock { state in
      state.events += new
      state.wakes += 1
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  private func wait(beyond seen: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          if state.wakes == seen && !Task.isCancelled { state.waiters.append(continuation) }
          return state.wakes != seen || Task.isCancelled
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      poll()
    }
  }

  /// Waits until so many records of a partition have come.
  func records(_ count: Int, from partition: TopicPartition, batch: Int = 100) async -> [ConsumedRecord] {
    var records: [ConsumedRecord] = []
    while records.count < count, !Task.isCancelled {
      let seen = state.withLock { $0.wakes }
      let taken = consumer.take(from: partition, upTo: min(batch, count - records.count))
      records += taken
      if taken.isEmpty { await wait(beyond: seen) }
    }
    return records
  }

  /// Waits for the first event that gives a value, and drops those before it. May take records of a partition meanwhile, and drop them.
  func event<R>(taking partition: TopicPartition? = nil, _ matching: (ConsumerEvent) -> R?) async -> R? {
    while !Task.isCancelled {
      let seen = state.withLock { $0.wakes }
      if let partition, consumer.take(from: partition, upTo: 100).isEmpty { poll() }
      let found = state.withLock { state -> R? in
        while !state.events.isEmpty {
          if let value = matching(state.events.removeFirst()) { return value }
        }
        return nil
      }
      if let found { return found }
      if partition == nil || state.withLock({ $0.wakes == seen }) { await wait(beyond: seen) }
    }
    return nil
  }

  /// The next assignment that is not empty: a cooperative rebalance begins with an empty one for a newcomer.
  func assigned() async -> [TopicPartition]? {
    await event { if case .assigned(let partitions) = $0, !partitions.isEmpty { partitions } else { nil } }
  }

  func revoked() async -> [TopicPartition]? { await event { if case .revoked(let partitions) = $0 { partitions } else { nil } } }
}
