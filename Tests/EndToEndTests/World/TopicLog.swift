import JSON
import Kafka
import Messages
import Telemetry

/// A message as a reader from outside sees it.
struct SeenMessage: Sendable {
  let record: ConsumedRecord
  let json: JSONTree?

  init(_ record: ConsumedRecord) {
    self.record = record
    json = record.value.flatMap { try? JSONTree.parse($0) }
  }

  var key: String? { record.key.map { String(decoding: $0, as: UTF8.self) } }
  var requestID: String? { json?["requestId"]?.string }

  /// The last header of that name.
  func header(_ name: String) -> String? {
    record.headers.last { $0.name == name }?.value.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Everything that was published, read along from the beginning of all topics by a client outside of any group.
final class TopicLog: Sendable {
  struct State: Sendable {
    /// By topic name without prefix, in the order seen.
    var messages: [Topic: [SeenMessage]] = [:]
    /// Events and records by requestId.
    var events: [String: [JSONTree]] = [:]
    var records: [String: [SeenMessage]] = [:]
    /// The offset to come, transaction markers included.
    var positions: [Kafka.TopicPartition: Int64] = [:]
    var error: String?
    /// How often the reader has looked; a change that tests may wait on.
    var rounds = 0
  }

  let state = Monitor(State())
  private let consumer: Consumer
  /// Asks for the ends of the logs: a connection of its own, so that no waiting fetch is in its way.
  private let admin: Admin
  private let prefix: String
  private let partitions: [Kafka.TopicPartition]
  private let reader: Task<Void, Never>

  init(configuration: KafkaConfiguration, prefix: String, partitionCounts: [Topic: Int]) async throws {
    var configuration = configuration
    configuration.properties["enable.partition.eof"] = "true"
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let consumer = try Consumer(
      configuration: configuration, groupID: "\(prefix)reader", clientID: "reader", logger: .silent, wake: { wake.yield() })
    let partitions = partitionCounts.flatMap { topic, count in
      (0..<Int32(count)).map { Kafka.TopicPartition(topic: prefix + topic.name, partition: $0) }
    }
    self.consumer = consumer
    admin = try Admin(configuration: configuration, clientID: "reader", logger: .silent)
    self.prefix = prefix
    self.partitions = partitions
    try await consumer.assign(Dictionary(uniqueKeysWithValues: partitions.map { ($0, .beginning) }))
    let state = state
    reader = Task {
      for await _ in wakes { Self.drain(consumer, partitions, prefix, into: state) }
    }
    wake.yield()
  }

  private static func drain(_ consumer: Consumer, _ partitions: [Kafka.TopicPartition], _ prefix: String, into state: Monitor<State>) {
    var isMore = true
    while isMore && !Task.isCancelled {
      isMore = false
      for partition in partitions {
        let records = consumer.take(from: partition, upTo: 500)
        if records.count == 500 { isMore = true }
        guard let last = records.last else { continue }
        let messages = records.map(SeenMessage.init)
        state.update { state in
          for message in messages { state.add(message, to: Topic(String(partition.topic.dropFirst(prefix.utf8.count)))) }
          state.positions[partition] = last.offset + 1
        }
      }
      let events = consumer.poll()
      state.update { state in
        state.rounds += 1
        for event in events { state.note(event) }
      }
    }
  }

  /// Returns when everything that was published until now has been seen.
  func caughtUp(within limit: Duration = .seconds(30)) async throws {
    for partition in partitions {
      let end = try await admin.watermarks(partition).upperBound
      guard end > 0 else { continue }
      let seen = try await state.wait(within: limit) { ($0.positions[partition] ?? 0) >= end ? true : nil }
      if seen == nil { throw Unmet("\(partition) was read to \(state.read { $0.positions[partition] ?? 0 }) of \(end)") }
    }
  }

  func close() async {
    reader.cancel()
    await consumer.close()
    await admin.close()
  }
}

extension TopicLog.State {
  fileprivate mutating func add(_ message: SeenMessage, to topic: Topic) {
    messages[topic, default: []].append(message)
    guard let requestID = message.requestID, let json = message.json else { return }
    if topic == .requestEvents { events[requestID, default: []].append(json) }
    if topic == .videoRecords { records[requestID, default: []].append(message) }
  }

  fileprivate mutating func note(_ event: ConsumerEvent) {
    switch event {
    case .endOfPartition(let partition, let offset): positions[partition] = max(positions[partition] ?? 0, offset)
    case .offsetOutOfRange(let partition, let error): self.error = "\(partition): \(error)"
    case .error(let error) where error.isFatal: self.error = "\(error)"
    default: break
    }
  }

  /// The terminal events of a request.
  func endings(_ requestID: String) -> [JSONTree] {
    (events[requestID] ?? []).filter { RequestEvent.Kind(rawValue: $0["type"]?.string ?? "")?.isTerminal == true }
  }
}
