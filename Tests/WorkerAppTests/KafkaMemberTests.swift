import Kafka
import Messages
import Pipeline
import Synchronization
import Testing

@testable import WorkerApp

private let partition = Messages.TopicPartition(topic: "t", partition: 0)

@Suite("Group members", .timeLimit(.minutes(1)))
struct KafkaMemberTests {
  @Test(
    arguments: [(committed: 3, lookback: 0, first: 3), (3, 2, 1), (3, 100, 0), (5, 1, 4)]
      as [(committed: Int64, lookback: Int, first: Int64)])
  func readingBeginsBeforeTheCommittedOffset(committed: Int64, lookback: Int, first: Int64) async throws {
    try await member(committed: committed) { member in
      let handled = try await member.start([partition], lookback: lookback)
      #expect(handled == [partition: committed])
      let offsets = try await member.take(5 - Int(first))
      #expect(offsets == Array(first..<5))
    }
  }

  @Test func aCommittedOffsetThatTheLogDoesNotReachIsAGap() async throws {
    try await member(committed: 6) { member in
      _ = try await member.start([partition], lookback: 3)
      let event = try await member.event { if case .gap(let place, _) = $0 { place } else { nil } }
      #expect(event == partition)
    }
  }

  /// A member of a group that committed so much of five messages, after the assignment came.
  private func member(committed: Int64, _ body: (Observed) async throws -> Void) async throws {
    let cluster = try MockCluster()
    try cluster.createTopic("t", partitions: 1)
    let configuration = KafkaConfiguration(bootstrapServers: cluster.bootstrapServers)
    let producer = try Producer(configuration: configuration, clientID: "p", logger: .silent)
    for value in UInt8(0)..<5 { try await producer.send([ProducerRecord(topic: "t", partition: 0, value: [value])]) }
    await producer.close()
    let member = try Observed(configuration)
    _ = try await member.event { if case .assigned = $0 { true } else { nil } }
    try await member.member.consumer.commit([partition.kafka: committed])
    try await body(member)
    await member.member.close()
    await cluster.close()
  }
}

/// A member whose wake-ups are waited for.
private struct Observed {
  let member: KafkaMember
  private let wakes: AsyncStream<Void>

  init(_ configuration: KafkaConfiguration) throws {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.wakes = wakes
    member = try KafkaMember(
      configuration: configuration, group: "g", topics: ["t"], instanceID: nil, clientID: "c", commitInterval: .seconds(1), logger: .silent)
    member.onWake { wake.yield() }
    wake.yield()
  }

  func start(_ partitions: [Messages.TopicPartition], lookback: Int) async throws -> [Messages.TopicPartition: Int64] {
    try await member.start(partitions, lookback: lookback)
  }

  func event<Value>(_ matches: (SourceEvent) -> Value?) async throws -> Value {
    for await _ in wakes {
      // Errors of a partition stand in its queue.
      _ = member.take(from: partition, upTo: 1)
      for event in member.poll() { if let value = matches(event) { return value } }
    }
    throw CancellationError()
  }

  func take(_ count: Int) async throws -> [Int64] {
    var offsets: [Int64] = []
    while offsets.count < count {
      offsets += member.take(from: partition, upTo: count - offsets.count).map(\.offset)
      guard offsets.count < count else { break }
      for await _ in wakes { break }
      _ = member.poll()
    }
    return offsets
  }
}
