import Testing

@testable import Kafka

@Suite(.timeLimit(.minutes(1)))
struct MockClusterTests {
  @Test func severalBrokersShareTheWork() async throws {
    let cluster = try MockCluster(brokers: 3)
    #expect(cluster.bootstrapServers.split(separator: ",").count == 3)
    try cluster.createTopic("t", partitions: 3, replicationFactor: 3)
    try cluster.setLeader(of: TopicPartition(topic: "t", partition: 0), broker: 2)
    try cluster.setGroupCoordinator("g", broker: 3)
    let admin = try Admin(
      configuration: KafkaConfiguration(bootstrapServers: cluster.bootstrapServers), clientID: "test", logger: .silent)
    let description = try await admin.describeCluster()
    #expect(description.brokers.map(\.id).sorted() == [1, 2, 3])
    #expect(description.topic("t")?.partitions.first?.leader == 2)
    await admin.close()
    await cluster.close()
    await cluster.close()
  }

  @Test func nobodyTakesThePortOfABrokerThatIsDown() async throws {
    let cluster = try MockCluster(brokers: 2)
    let ports = cluster.bootstrapServers.split(separator: ",").compactMap { $0.split(separator: ":").last.flatMap { UInt16($0) } }
    for broker in [Int32(2), nil] {
      try cluster.brokerDown(broker)
      #expect(HeldPort(ports[1]) == nil)
      try cluster.brokerUp(broker)
    }
    let admin = try Admin(
      configuration: KafkaConfiguration(bootstrapServers: cluster.bootstrapServers), clientID: "test", logger: .silent)
    #expect(try await admin.describeCluster().brokers.count == 2)
    await admin.close()
    await cluster.close()
  }

  @Test(arguments: [0, -1, 101])
  func anImpossibleNumberOfBrokersIsAnError(brokers: Int) {
    #expect(throws: KafkaError.self) { try MockCluster(brokers: brokers) }
  }

  @Test func aTopicThatExistsOrHasNoPartitionsIsAnError() async throws {
    let cluster = try MockCluster()
    try cluster.createTopic("t", partitions: 1)
    #expect(throws: KafkaError.self) { try cluster.createTopic("t", partitions: 1) }
    #expect(throws: KafkaError.self) { try cluster.createTopic("u", partitions: 0) }
    await cluster.close()
    let error = #expect(throws: KafkaError.self) { try cluster.createTopic("v", partitions: 1) }
    #expect(error?.isClosed == true)
  }

  // The log keeps 5 MB of a partition as it was sent: 20 MB stay because they are compressed.
  @Test func keepsBatchesCompressedAsTheyWereSent() async throws {
    let cluster = try TestCluster.mock()
    let topic = try await cluster.createTopic("compressed")
    let producer = try cluster.producer()
    for _ in 0..<10 {
      try await producer.send((0..<100).map { _ in ProducerRecord(topic: topic, value: [UInt8](repeating: 65, count: 20_000)) })
    }
    let probe = try cluster.consumer()
    #expect(try await probe.consumer.watermarks(TopicPartition(topic: topic, partition: 0)) == 0..<1000)
    await probe.consumer.close()
    await producer.close()
  }

  @Test func aReaderThatFallsBehindTheShrinkingLogIsToldSo() async throws {
    let cluster = try TestCluster.mock(properties: ["queued.min.messages": "1", "fetch.message.max.bytes": "1000"])
    let topic = try await cluster.createTopic("shrinking")
    let partition = TopicPartition(topic: topic, partition: 0)
    let producer = try cluster.producer(["compression.type": "none"])
    for _ in 0..<20 {
      try await producer.send((0..<20).map { _ in ProducerRecord(topic: topic, value: [UInt8](repeating: 65, count: 20_000)) })
    }
    let probe = try cluster.consumer()
    let log = try await probe.consumer.watermarks(partition)
    #expect(log.lowerBound > 0 && log.upperBound == 400)
    try await probe.consumer.assign([partition: .offset(0)])
    let reported = await probe.event(taking: partition) { event -> TopicPartition? in
      if case .offsetOutOfRange(let partition, _) = event { partition } else { nil }
    }
    #expect(reported == partition)
    try await probe.consumer.seek(partition, to: log.lowerBound)
    #expect(await probe.records(1, from: partition).first?.offset == log.lowerBound)
    await probe.consumer.close()
    await producer.close()
  }
}
