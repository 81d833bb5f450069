import Kafka
import Messages
import Pipeline
import Testing

@testable import WorkerApp

/// One joined member and one transactional producer on a mock cluster of their own, and the topic that the outputs go to.
///
/// The mock cluster stores no offsets of transactions, shows aborted records, and fences nobody: that is looked at on a real cluster.
struct TransactionBench {
  let cluster: MockCluster
  let configuration: KafkaConfiguration
  let member: KafkaMember
  let producer: TransactionalProducer
  let delivery: ExactlyOnceDelivery
  let source = Messages.TopicPartition(topic: "in", partition: 0)
  private let wakes: AsyncStream<Void>

  /// - Parameters:
  ///   - properties: those of the producer.
  ///   - takesPartition: whether the bench answers the assignment, in place of a worker.
  init(_ properties: [String: String] = [:], takesPartition: Bool = true, grace: Duration = .seconds(1)) async throws {
    cluster = try MockCluster()
    try cluster.createTopic("in", partitions: 1)
    try cluster.createTopic(Topic.requestEvents.name, partitions: 1)
    configuration = KafkaConfiguration(bootstrapServers: cluster.bootstrapServers)
    var member = configuration
    // A member that a heartbeat must tell something is told soon.
    member.properties["heartbeat.interval.ms"] = "200"
    self.member = try KafkaMember(
      configuration: member, group: "g", topics: ["in"], instanceID: nil, clientID: "member", commitInterval: nil, logger: .silent)
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.wakes = wakes
    self.member.onWake { wake.yield() }
    wake.yield()
    producer = try Self.producer(configuration, properties)
    delivery = ExactlyOnceDelivery(producer: producer, member: self.member, prefix: "", logger: .silent, grace: grace)
    try await delivery.prepare(timeout: .seconds(30))
    guard takesPartition else { return }
    await event { if case .assigned(let partitions) = $0 { partitions == [source] } else { false } }
    _ = try await self.member.start([source], lookback: 0)
  }

  private static func producer(_ configuration: KafkaConfiguration, _ properties: [String: String]) throws -> TransactionalProducer {
    var configuration = configuration
    configuration.properties.merge(["retry.backoff.ms": "10"].merging(properties) { $1 }) { $1 }
    return try TransactionalProducer(
      configuration: configuration, transactionalID: "tubeline-test-w1", clientID: "producer", logger: .silent)
  }

  /// Puts one message into the source.
  func send() async throws {
    let sender = try Producer(configuration: configuration, clientID: "sender", logger: .silent)
    try await sender.send([ProducerRecord(topic: source.topic, value: [1])])
    await sender.close()
  }

  /// Polls the member until such an event came.
  func event(_ matching: (SourceEvent) -> Bool) async {
    for await _ in wakes where member.poll().contains(where: matching) { return }
  }

  /// What became of one delivery of some outputs; nil is success.
  func deliver(_ outputs: Int = 1, upTo offset: Int64 = 1) async -> DeliveryFailure? {
    let message = OutgoingMessage(topic: .requestEvents, key: nil, value: [1], headers: [])
    do throws(DeliveryFailure) {
      try await delivery.deliver(DeliveryBatch(outputs: Array(repeating: message, count: outputs), offsets: [source: offset]))
      return nil
    } catch { return error }
  }

  /// How many outputs the log holds, those of aborted transactions included.
  func published() async throws -> Int {
    try await member.consumer.watermarks(Kafka.TopicPartition(topic: Topic.requestEvents.name, partition: 0)).count
  }

  func close() async {
    await member.close()
    await delivery.close()
    await cluster.close()
  }
}

/// A request of the Kafka protocol, by its key (https://kafka.apache.org/protocol#protocol_api_keys).
enum Request: Int16 {
  case produce = 0
  case heartbeat = 12
  case addPartitionsToTransaction = 24
  case addOffsetsToTransaction = 25
  case endTransaction = 26
  case commitOffsetsOfTransaction = 28
}
