public import Messages
public import Pipeline
import Synchronization

/// A group member that reads a MemoryBroker. Partitions come and go as the test commands.
public final class MemorySource: MessageSource {
  /// What the worker asked of its source.
  public enum Call: Sendable, Equatable {
    case started([TopicPartition])
    case taken(TopicPartition, count: Int)
    case startedAtOldest(TopicPartition)
    case released([TopicPartition])
    case closed
  }

  private struct State: Sendable {
    var wake: (@Sendable () -> Void)?
    var events: [SourceEvent] = []
    var positions: [TopicPartition: Int64] = [:]
    var startFailure: String?
    var startGate: Gate?
    var oldestFailures = 0
  }

  public struct StartError: Error, CustomStringConvertible {
    public let description: String
  }

  private let broker: MemoryBroker
  private let state = Mutex(State())
  public let calls = EventLog<Call>()
  private let pollCount = Mutex(0)

  public init(_ broker: MemoryBroker) {
    self.broker = broker
    broker.onAppend { [weak self] in self?.wake() }
  }

  // Commands of the test

  public func assign(_ partitions: TopicPartition...) { send(.assigned(partitions)) }
  public func revoke(_ partitions: TopicPartition...) { send(.revoked(partitions)) }
  public func lose(_ partitions: TopicPartition...) { send(.lost(partitions)) }
  public func fail(_ reason: String, isFatal: Bool) { send(.error(reason, isFatal: isFatal)) }
  public func failStart(_ reason: String) { state.withLock { $0.startFailure = reason } }

  /// `start` waits at the gate, as for a broker that is away.
  public func holdStart(at gate: Gate) { state.withLock { $0.startGate = gate } }

  /// The next so many calls of `startAtOldest` fail.
  public func failStartAtOldest(times: Int) { state.withLock { $0.oldestFailures = times } }

  public func send(_ event: SourceEvent) {
    state.withLock { $0.events.append(event) }
    wake()
  }

  public func wake() { state.withLock { $0.wake }?() }

  public var polls: Int { pollCount.withLock { $0 } }
  public var isClosed: Bool { calls.events.last == .closed }
  /// How many messages were taken in all.
  public var taken: Int { calls.events.reduce(0) { if case .taken(_, let count) = $1 { $0 + count } else { $0 } } }

  // The port

  public func onWake(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  public func poll() -> [SourceEvent] {
    pollCount.withLock { $0 += 1 }
    return state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  public func take(from partition: TopicPartition, upTo limit: Int) -> [ReceivedMessage] {
    guard let position = state.withLock({ $0.positions[partition] }) else { return [] }
    guard let messages = broker.read(partition, from: position, upTo: limit) else {
      state.withLock { $0.positions[partition] = nil }
      send(.gap(partition, "offset \(position) is out of range"))
      return []
    }
    guard let last = messages.last else { return [] }
    state.withLock { $0.positions[partition] = last.offset + 1 }
    calls.append(.taken(partition, count: messages.count))
    return messages
  }

  public func start(_ partitions: [TopicPartition], lookback: Int) async throws -> [TopicPartition: Int64] {
    try await state.withLock { $0.startGate }?.pass()
    if let reason = state.withLock({ $0.startFailure }) { throw StartError(description: reason) }
    var committed: [TopicPartition: Int64] = [:]
    for partition in partitions {
      committed[partition] = broker.committed(partition)
      let oldest = broker.oldest(partition)
      let position = committed[partition].map { max(min(oldest, $0), $0 - Int64(lookback)) } ?? oldest
      state.withLock { $0.positions[partition] = position }
    }
    calls.append(.started(partitions))
    wake()
    return committed
  }

  public func release(_ partitions: [TopicPartition]) async {
    state.withLock { state in for partition in partitions { state.positions[partition] = nil } }
    calls.append(.released(partitions))
  }

  public func startAtOldest(_ partition: TopicPartition) async throws {
    calls.append(.startedAtOldest(partition))
    let fails = state.withLock { state in
      defer { state.oldestFailures = max(0, state.oldestFailures - 1) }
      return state.oldestFailures > 0
    }
    if fails { throw StartError(description: "no leader") }
    let oldest = broker.oldest(partition)
    state.withLock { $0.positions[partition] = oldest }
    wake()
  }

  public func close() async { calls.append(.closed) }
}
