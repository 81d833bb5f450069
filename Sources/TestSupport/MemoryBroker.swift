public import Messages
import Synchronization

/// Topics with partitions in memory: a log for each partition, and the positions that one group committed.
public final class MemoryBroker: Sendable {
  private struct Partition: Sendable {
    var log: [ReceivedMessage] = []
    var oldest: Int64 = 0
    var next: Int64 = 0
  }

  private struct State: Sendable {
    var partitionCounts: [String: Int32]
    var partitions: [TopicPartition: Partition] = [:]
    var committed: [TopicPartition: Int64] = [:]
    var listeners: [@Sendable () -> Void] = []
  }

  private let state: Mutex<State>

  /// - Parameter partitions: how many a topic has; one where nothing is said.
  public init(partitions: [Topic: Int32] = [:]) {
    state = Mutex(State(partitionCounts: Dictionary(uniqueKeysWithValues: partitions.map { ($0.key.name, max($0.value, 1)) })))
  }

  /// Puts a message at the end of a partition and returns its offset.
  @discardableResult
  public func append(
    _ value: [UInt8]?, key: [UInt8]? = nil, headers: [MessageHeader] = [], to topic: Topic, partition: Int32 = 0
  ) -> Int64 {
    let source = TopicPartition(topic: topic.name, partition: partition)
    let (offset, listeners) = state.withLock { state in
      (Self.append(value, key, headers, source, &state), state.listeners)
    }
    for listener in listeners { listener() }
    return offset
  }

  @discardableResult
  public func append(_ text: String, headers: [MessageHeader] = [], to topic: Topic, partition: Int32 = 0) -> Int64 {
    append(Array(text.utf8), headers: headers, to: topic, partition: partition)
  }

  /// Publishes outputs, each into the partition of its key, and commits the offsets: all of it at once, as a transaction does.
  public func commit(_ outputs: [OutgoingMessage], offsets: [TopicPartition: Int64]) {
    let listeners = state.withLock { state in
      for output in outputs {
        let count = state.partitionCounts[output.topic.name] ?? 1
        let partition = Int32((output.key ?? []).reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % Int(count))
        _ = Self.append(
          output.value, output.key, output.headers, TopicPartition(topic: output.topic.name, partition: partition), &state)
      }
      state.committed.merge(offsets) { _, new in new }
      return state.listeners
    }
    for listener in listeners { listener() }
  }

  private static func append(
    _ value: [UInt8]?, _ key: [UInt8]?, _ headers: [MessageHeader], _ source: TopicPartition, _ state: inout State
  ) -> Int64 {
    var partition = state.partitions[source] ?? Partition()
    let offset = partition.next
    partition.log.append(ReceivedMessage(source: source, offset: offset, key: key, value: value, headers: headers))
    partition.next += 1
    state.partitions[source] = partition
    return offset
  }

  /// Retention: messages below the offset are gone.
  public func delete(from source: TopicPartition, below offset: Int64) {
    state.withLock { state in
      state.partitions[source]?.log.removeAll { $0.offset < offset }
      state.partitions[source]?.oldest = offset
    }
  }

  /// The topic was made anew: its offsets begin at 0 again.
  public func empty(_ source: TopicPartition) { state.withLock { $0.partitions[source] = Partition() } }

  public func committed(_ source: TopicPartition) -> Int64? { state.withLock { $0.committed[source] } }
  public func oldest(_ source: TopicPartition) -> Int64 { state.withLock { $0.partitions[source]?.oldest ?? 0 } }

  /// Up to `limit` messages from an offset on; `nil` when the log does not have the offset.
  public func read(_ source: TopicPartition, from offset: Int64, upTo limit: Int = .max) -> [ReceivedMessage]? {
    state.withLock { state in
      guard let partition = state.partitions[source] else { return offset == 0 ? [] : nil }
      guard (partition.oldest...partition.next).contains(offset) else { return nil }
      return Array(partition.log.drop { $0.offset < offset }.prefix(limit))
    }
  }

  /// Everything of a topic, partition after partition.
  public func messages(_ topic: Topic) -> [ReceivedMessage] {
    state.withLock { state in
      state.partitions.filter { $0.key.topic == topic.name }.sorted { $0.key.partition < $1.key.partition }.flatMap(\.value.log)
    }
  }

  /// Called after each publication.
  func onAppend(_ listener: @escaping @Sendable () -> Void) { state.withLock { $0.listeners.append(listener) } }
}
