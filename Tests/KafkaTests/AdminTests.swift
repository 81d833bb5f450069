import Kafka
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AdminTests {
  private func admin(_ cluster: TestCluster) throws -> Admin {
    try Admin(configuration: cluster.configuration, clientID: "test", logger: .silent)
  }

  @Test func describesBrokersAndPartitionsWithoutCreatingATopic() async throws {
    let cluster = try TestCluster()
    let topic = try await cluster.createTopic("described", partitions: 3)
    let admin = try admin(cluster)
    let description = try await admin.describeCluster()
    #expect(description.brokers.count >= 1)
    #expect(description.topic(topic)?.partitions.map(\.id) == [0, 1, 2])
    #expect(description.topic(topic)?.partitions.allSatisfy { $0.leader != nil && !$0.replicas.isEmpty } == true)
    #expect(try await admin.describeCluster().topic(cluster.name("missing")) == nil)
    await admin.close()
  }

  @Test func committedOffsetsOfAGroupAreReadWithoutJoiningIt() async throws {
    let cluster = try TestCluster()
    let topic = try await cluster.createTopic("group", partitions: 2)
    let group = cluster.name("g")
    let partition = TopicPartition(topic: topic, partition: 1)
    let probe = try cluster.consumer(group: group)
    try await probe.consumer.commit([partition: 3])
    await probe.consumer.close()
    let admin = try admin(cluster)
    let asked = [TopicPartition(topic: topic, partition: 0), partition]
    #expect(try await admin.committed(groupID: group, asked) == [partition: 3])
    #expect(try await admin.committed(groupID: cluster.name("unknown"), asked) == [:])
    await admin.close()
  }

  @Test func aClusterThatCannotCreateTopicsSaysSo() async throws {
    let cluster = try TestCluster.mock()
    let admin = try admin(cluster)
    await #expect(throws: KafkaError.self) { try await admin.createTopics([NewTopic(name: "t", partitions: 1)], timeout: .seconds(2)) }
    #expect(try await admin.createTopics([]) == [:])
    await admin.close()
    let error = await #expect(throws: KafkaError.self) { try await admin.describeCluster() }
    #expect(error?.isClosed == true)
  }

  @Test func offsetsAreToldAgainAfterTheBrokerWasAway() async throws {
    let cluster = try TestCluster.mock()
    let mock = try #require(cluster.mock)
    let partition = TopicPartition(topic: try await cluster.createTopic("away"), partition: 0)
    let admin = try admin(cluster)
    #expect(try await admin.committed(groupID: "g", [partition]) == [:])
    try mock.brokerDown()
    for _ in 0..<3 {
      await #expect(throws: KafkaError.self) { try await admin.committed(groupID: "g", [partition], timeout: .milliseconds(500)) }
    }
    try mock.brokerUp()
    let probe = try cluster.consumer(group: "g")
    try await probe.consumer.commit([partition: 3], timeout: .seconds(10))
    await probe.consumer.close()
    #expect(try await admin.committed(groupID: "g", [partition]) == [partition: 3])
    await admin.close()
  }

  @Test func anUnreachableClusterIsARetriableErrorWithinTheTimeout() async throws {
    let configuration = KafkaConfiguration(bootstrapServers: "127.0.0.1:1")
    let admin = try Admin(configuration: configuration, clientID: "test", logger: .silent)
    let error = await #expect(throws: KafkaError.self) { try await admin.describeCluster(timeout: .milliseconds(300)) }
    #expect(error?.isRetriable == true)
    await admin.close()
  }

  @Test func anImpossibleTopicIsRefusedBeforeItIsSent() async throws {
    let cluster = try TestCluster.mock()
    let admin = try admin(cluster)
    let error = await #expect(throws: KafkaError.self) { try await admin.createTopics([NewTopic(name: "t", partitions: -7)]) }
    #expect(error?.name == "_INVALID_ARG")
    await admin.close()
  }

  @Test(.realCluster) func createsDescribesAndDeletesTopics() async throws {
    let cluster = try TestCluster()
    let admin = try admin(cluster)
    let name = cluster.name("created")
    let topic = NewTopic(name: name, partitions: 2, replicationFactor: 1, configuration: ["cleanup.policy": "compact,delete"])
    #expect(try await admin.createTopics([topic]) == [name: .created])
    #expect(try await admin.createTopics([topic]) == [name: .alreadyExists])
    let bad = NewTopic(name: cluster.name("bad"), configuration: ["no.such.setting": "1"])
    guard case .failed = try await admin.createTopics([bad])[bad.name] else {
      Issue.record("a topic with an unknown setting was created")
      return
    }
    let entries = try await admin.topicConfigurations([name])[name] ?? []
    #expect(entries.first { $0.name == "cleanup.policy" }?.value == "compact,delete")
    #expect(entries.first { $0.name == "cleanup.policy" }?.isDefault == false)
    #expect(try await admin.deleteTopics([name]) == [name: nil])
    await admin.close()
  }

  @Test(.realCluster) func tellsTheMembersOfAGroup() async throws {
    let cluster = try TestCluster()
    let topic = try await cluster.createTopic("members")
    let group = cluster.name("members")
    let probe = try cluster.consumer(group: group, instanceID: "worker-1")
    try probe.consumer.subscribe([topic])
    let partitions = await probe.assigned() ?? []
    try await probe.consumer.assign([partitions[0]: .beginning])
    let admin = try admin(cluster)
    let description = try await admin.describeGroups([group]).first
    #expect(description?.members.map(\.instanceID) == ["worker-1"])
    #expect(description?.members.map(\.partitions) == [partitions])
    await admin.close()
    await probe.consumer.close()
  }
}
