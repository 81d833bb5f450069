import Kafka
import Testing

/// Reading of partitions that the test assigns itself: no group is joined, so nothing waits for a rebalance.
@Suite(.timeLimit(.minutes(1)))
struct ConsumerTests {
  private func filled(_ cluster: TestCluster, _ count: Int, partitions: Int = 1, size: Int = 8) async throws -> String {
    let topic = try await cluster.createTopic("filled", partitions: partitions)
    let producer = try cluster.producer()
    for partition in Int32(0)..<Int32(partitions) {
      try await producer.send(
        (0..<count).map {
          ProducerRecord(topic: topic, partition: partition, value: [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: size))
        })
    }
    await producer.close()
    return topic
  }

  @Test func everyPartitionComesWholeAndInOrder() async throws {
    let cluster = try TestCluster()
    let topic = try await filled(cluster, 5000, partitions: 4)
    let probe = try cluster.consumer()
    let partitions = (Int32(0)..<4).map { TopicPartition(topic: topic, partition: $0) }
    try await probe.consumer.assign(Dictionary(uniqueKeysWithValues: partitions.map { ($0, .beginning) }))
    for partition in partitions {
      #expect(await probe.records(5000, from: partition, batch: 77).map(\.offset) == Array(0..<5000))
    }
    await probe.consumer.close()
  }

  @Test func aRecordThatArrivesLaterWakesTheOwner() async throws {
    let cluster = try TestCluster()
    let topic = try await cluster.createTopic("later")
    let producer = try cluster.producer(["linger.ms": "0"])
    let probe = try cluster.consumer()
    let partition = TopicPartition(topic: topic, partition: 0)
    try await probe.consumer.assign([partition: .beginning])
    for round in 0..<30 {
      try await producer.send([ProducerRecord(topic: topic, value: [UInt8(round)])])
      #expect(await probe.records(1, from: partition).map(\.value) == [[UInt8(round)]])
    }
    await probe.consumer.close()
    await producer.close()
  }

  @Test func whatIsNotTakenStopsTheFetching() async throws {
    let cluster = try TestCluster(properties: [
      "queued.min.messages": "100", "fetch.message.max.bytes": "20000", "statistics.interval.ms": "200", "compression.type": "none",
      "batch.size": "10000",
    ])
    let topic = try await filled(cluster, 2000, size: 1000)
    let probe = try cluster.consumer()
    let partition = TopicPartition(topic: topic, partition: 0)
    try await probe.consumer.assign([partition: .beginning])
    var queued: [Int] = []
    // Steady, and not only because a busy machine fetched nothing for a moment.
    while queued.count < 4 || Set(queued.suffix(4)).count > 1 || queued.last ?? 0 < 100, !Task.isCancelled {
      let count = await probe.event { event -> Int? in
        guard case .statistics(let text) = event, let field = text.firstRange(of: "\"fetchq_cnt\":") else { return nil }
        return Int(text[field.upperBound...].prefix { $0.isNumber })
      }
      if let count, count > 0 { queued.append(count) }
    }
    // The batch that crosses the limit comes whole.
    #expect((100..<300).contains(queued.last ?? 0))
    #expect(await probe.records(2000, from: partition).map(\.offset) == Array(0..<2000))
    await probe.consumer.close()
  }

  @Test func startsAtTheBeginningAtTheEndOrAtAnOffset() async throws {
    let cluster = try TestCluster()
    let topic = try await filled(cluster, 10, partitions: 3)
    let partitions = (Int32(0)..<3).map { TopicPartition(topic: topic, partition: $0) }
    let probe = try cluster.consumer()
    try await probe.consumer.assign([partitions[0]: .beginning, partitions[1]: .offset(7), partitions[2]: .end])
    #expect(await probe.records(1, from: partitions[0]).first?.offset == 0)
    #expect(await probe.records(1, from: partitions[1]).first?.offset == 7)
    #expect(probe.consumer.take(from: partitions[2], upTo: 10).isEmpty)
    #expect(try probe.consumer.positions(partitions) == [partitions[0]: 1, partitions[1]: 8])
    await probe.consumer.close()
  }

  @Test func seekingDropsWhatWasFetched() async throws {
    let cluster = try TestCluster()
    let topic = try await filled(cluster, 100)
    let partition = TopicPartition(topic: topic, partition: 0)
    let probe = try cluster.consumer()
    try await probe.consumer.assign([partition: .beginning])
    #expect(await probe.records(10, from: partition).last?.offset == 9)
    try await probe.consumer.seek(partition, to: 50)
    #expect(await probe.records(50, from: partition).map(\.offset) == Array(50..<100))
    try await probe.consumer.seek(partition, to: 5)
    #expect(await probe.records(3, from: partition).map(\.offset) == [5, 6, 7])
    await probe.consumer.close()
  }

  @Test func aPausedPartitionGoesOnWhereItStood() async throws {
    let cluster = try TestCluster()
    let topic = try await filled(cluster, 100)
    let partition = TopicPartition(topic: topic, partition: 0)
    let probe = try cluster.consumer()
    try await probe.consumer.assign([partition: .beginning])
    #expect(await probe.records(10, from: partition).last?.offset == 9)
    try probe.consumer.pause([partition])
    #expect(probe.consumer.take(from: partition, upTo: 10).isEmpty)
    try probe.consumer.resume([partition])
    #expect(await probe.records(90, from: partition).map(\.offset) == Array(10..<100))
    await probe.consumer.close()
  }

  @Test func anUnassignedPartitionGivesNothingAndMayComeBack() async throws {
    let cluster = try TestCluster()
    let topic = try await filled(cluster, 100, partitions: 2)
    let partitions = (Int32(0)..<2).map { TopicPartition(topic: topic, partition: $0) }
    let probe = try cluster.consumer()
    try await probe.consumer.assign([partitions[0]: .beginning])
    try await probe.consumer.assign([partitions[1]: .beginning])
    #expect(await probe.records(10, from: partitions[0]).count == 10)
    try await probe.consumer.unassign([partitions[0]])
    #expect(probe.consumer.take(from: partitions[0], upTo: 10).isEmpty)
    #expect(await probe.records(100, from: partitions[1]).count == 100)
    try await probe.consumer.assign([partitions[0]: .offset(42)])
    #expect(await probe.records(58, from: partitions[0]).map(\.offset) == Array(42..<100))
    await #expect(throws: KafkaError.self) { try await probe.consumer.assign([partitions[0]: .beginning]) }
    #expect(probe.consumer.take(from: partitions[0], upTo: 1).isEmpty)
    await probe.consumer.close()
  }

  @Test func aPositionThatTheLogDoesNotHaveIsAnEventAndSeekMendsIt() async throws {
    let cluster = try TestCluster()
    let topic = try await filled(cluster, 10)
    let partition = TopicPartition(topic: topic, partition: 0)
    let probe = try cluster.consumer()
    try await probe.consumer.assign([partition: .offset(5000)])
    let reported = await probe.event(taking: partition) { event -> TopicPartition? in
      if case .offsetOutOfRange(let partition, _) = event { partition } else { nil }
    }
    #expect(reported == partition)
    try await probe.consumer.seek(partition, to: 3)
    #expect(await probe.records(7, from: partition).map(\.offset) == Array(3..<10))
    await probe.consumer.close()
  }

  @Test func committedOffsetsAreKeptAndAbsentOnesAreAbsent() async throws {
    let cluster = try TestCluster()
    let topic = try await filled(cluster, 10, partitions: 2)
    let partitions = (Int32(0)..<2).map { TopicPartition(topic: topic, partition: $0) }
    let group = cluster.name("committed")
    let probe = try cluster.consumer(group: group)
    #expect(try await probe.consumer.committed(partitions) == [:])
    try await probe.consumer.commit([partitions[0]: 7])
    try await probe.consumer.commit([:])
    #expect(try await probe.consumer.committed(partitions) == [partitions[0]: 7])
    #expect(try await probe.consumer.watermarks(partitions[0]) == 0..<10)
    await probe.consumer.close()
    let admin = try Admin(configuration: cluster.configuration, clientID: "test", logger: .silent)
    #expect(try await admin.committed(groupID: group, partitions) == [partitions[0]: 7])
    #expect(try await admin.watermarks(partitions[1]) == 0..<10)
    #expect(try await admin.watermarks(partitions) == [partitions[0]: 0..<10, partitions[1]: 0..<10])
    #expect(try await admin.watermarks([]) == [:])
    await #expect(throws: KafkaError.self) {
      try await admin.watermarks(partitions + [TopicPartition(topic: topic, partition: 7)], timeout: .seconds(1))
    }
    await admin.close()
  }

  // 25 UNKNOWN_MEMBER_ID, 22 ILLEGAL_GENERATION, 27 REBALANCE_IN_PROGRESS, 30 GROUP_AUTHORIZATION_FAILED.
  @Test(arguments: [(Int32(25), "UNKNOWN_MEMBER_ID"), (22, "ILLEGAL_GENERATION"), (30, "GROUP_AUTHORIZATION_FAILED")])
  func aRefusedCommitIsAnError(code: Int32, name: String) async throws {
    let cluster = try TestCluster.mock()
    let topic = try await filled(cluster, 1)
    let probe = try cluster.consumer()
    try cluster.mock?.pushErrors(apiKey: 8, [code])
    let error = await #expect(throws: KafkaError.self) { try await probe.consumer.commit([TopicPartition(topic: topic, partition: 0): 1]) }
    #expect(error?.name == name)
    await probe.consumer.close()
  }

  @Test func aPassingRefusalOfACommitIsRetried() async throws {
    let cluster = try TestCluster.mock()
    let topic = try await filled(cluster, 1)
    let partition = TopicPartition(topic: topic, partition: 0)
    let probe = try cluster.consumer()
    try cluster.mock?.pushErrors(apiKey: 8, [27, 27])
    try await probe.consumer.commit([partition: 1])
    #expect(try await probe.consumer.committed([partition]) == [partition: 1])
    await probe.consumer.close()
  }

  @Test func readingGoesOnAfterTheBrokerWasAway() async throws {
    let cluster = try TestCluster.mock(properties: ["reconnect.backoff.ms": "10", "reconnect.backoff.max.ms": "100"])
    let topic = try await filled(cluster, 10)
    let partition = TopicPartition(topic: topic, partition: 0)
    let probe = try cluster.consumer()
    try await probe.consumer.assign([partition: .beginning])
    #expect(await probe.records(10, from: partition).count == 10)
    try cluster.mock?.brokerDown()
    let reported = await probe.event { event -> KafkaError? in if case .error(let error) = event { error } else { nil } }
    #expect(reported?.isFatal == false)
    try cluster.mock?.brokerUp()
    let producer = try cluster.producer()
    try await producer.send([ProducerRecord(topic: topic, value: [1])])
    #expect(await probe.records(1, from: partition).map(\.offset) == [10])
    await producer.close()
    await probe.consumer.close()
  }

  @Test func closingTwiceIsHarmlessAndLaterCallsAreRefused() async throws {
    let cluster = try TestCluster.mock()
    let topic = try await filled(cluster, 1)
    let partition = TopicPartition(topic: topic, partition: 0)
    let probe = try cluster.consumer()
    try await probe.consumer.assign([partition: .beginning])
    async let first: Void = probe.consumer.close()
    async let second: Void = probe.consumer.close()
    _ = await (first, second)
    #expect(probe.consumer.poll().isEmpty && probe.consumer.take(from: partition, upTo: 1).isEmpty)
    let error = await #expect(throws: KafkaError.self) { try await probe.consumer.commit([partition: 1]) }
    #expect(error?.isClosed == true)
    #expect(throws: KafkaError.self) { try probe.consumer.subscribe([topic]) }
  }

  @Test func aConsumerThatIsDroppedUnclosedIsFreedAsWell() async throws {
    let cluster = try TestCluster.mock()
    let topic = try await filled(cluster, 10)
    weak var consumer: Consumer?
    do {
      let probe = try cluster.consumer()
      try await probe.consumer.assign([TopicPartition(topic: topic, partition: 0): .beginning])
      consumer = probe.consumer
    }
    #expect(consumer == nil)
  }
}
