import Kafka
import Testing

/// What the mock cluster can show: the calls, the kinds of errors, the retries. Isolation is shown on a real cluster.
@Suite(.timeLimit(.minutes(1)))
struct TransactionalProducerTests {
  @Test func aCommittedTransactionDeliversItsRecordsInOrder() async throws {
    let cluster = try TestCluster()
    let topic = try await cluster.createTopic("committed")
    let producer = try cluster.transactionalProducer("id")
    try await producer.initialise()
    for round in UInt8(0)..<3 {
      try await producer.begin()
      try await producer.send((0..<10).map { ProducerRecord(topic: topic, value: [round, $0]) })
      try await producer.commit()
    }
    let probe = try cluster.consumer()
    let partition = TopicPartition(topic: topic, partition: 0)
    try await probe.consumer.assign([partition: .beginning])
    let values = await probe.records(30, from: partition).map(\.value)
    #expect(values == (UInt8(0)..<3).flatMap { round in (UInt8(0)..<10).map { [round, $0] } })
    await probe.consumer.close()
    await producer.close()
  }

  @Test func afterAnAbortANewTransactionWorks() async throws {
    let cluster = try TestCluster()
    let topic = try await cluster.createTopic("aborted")
    let producer = try cluster.transactionalProducer("id")
    try await producer.initialise()
    try await producer.begin()
    try await producer.send([ProducerRecord(topic: topic, value: [1])])
    try await producer.abort()
    try await producer.begin()
    try await producer.send([ProducerRecord(topic: topic, value: [2])])
    try await producer.commit()
    await producer.close()
  }

  @Test func offsetsTravelWithTheTransaction() async throws {
    let cluster = try TestCluster()
    let topic = try await cluster.createTopic("offsets")
    let partition = TopicPartition(topic: topic, partition: 0)
    let probe = try cluster.consumer()
    try probe.consumer.subscribe([topic])
    #expect(await probe.assigned() == [partition])
    try await probe.consumer.assign([partition: .beginning])
    let producer = try cluster.transactionalProducer("id")
    try await producer.initialise()
    try await producer.begin()
    try await producer.send([ProducerRecord(topic: topic, value: [1])])
    try await producer.sendOffsets([partition: 1], of: probe.consumer.groupMetadata())
    try await producer.sendOffsets([:], of: probe.consumer.groupMetadata())
    try await producer.commit()
    if cluster.mock == nil { #expect(try await probe.consumer.committed([partition]) == [partition: 1]) }
    await producer.close()
    await probe.consumer.close()
  }

  @Test func callsOutOfOrderAreErrorsThatAreNeitherFatalNorRetried() async throws {
    let cluster = try TestCluster()
    let topic = try await cluster.createTopic("order")
    let producer = try cluster.transactionalProducer("id")
    let early = await #expect(throws: KafkaError.self) { try await producer.begin() }
    #expect(early?.name == "_STATE" && early?.isFatal == false && early?.isRetriable == false)
    try await producer.initialise()
    await #expect(throws: KafkaError.self) { try await producer.commit() }
    let outside = await #expect(throws: ProduceError.self) { try await producer.send([ProducerRecord(topic: topic, value: [1])]) }
    #expect(outside?.first.name == "_STATE")
    await producer.close()
  }

  // API keys: 22 InitProducerId, 24 AddPartitionsToTxn, 26 EndTxn. Codes: 15 COORDINATOR_NOT_AVAILABLE, 16 NOT_COORDINATOR,
  // 14 COORDINATOR_LOAD_IN_PROGRESS, 51 CONCURRENT_TRANSACTIONS.
  @Test(arguments: [(Int16(22), Int32(15)), (22, 16), (24, 51), (24, 14), (26, 15), (26, 16)])
  func passingFaultsAreRetriedInside(apiKey: Int16, code: Int32) async throws {
    let cluster = try TestCluster.mock()
    let topic = try await cluster.createTopic("passing")
    try cluster.mock?.pushErrors(apiKey: apiKey, [code, code])
    let producer = try cluster.transactionalProducer("id", ["retry.backoff.ms": "10"])
    try await producer.initialise()
    try await producer.begin()
    try await producer.send([ProducerRecord(topic: topic, value: [1])])
    try await producer.commit()
    await producer.close()
  }

  @Test func aRefusedPartitionMakesTheTransactionAbortable() async throws {
    let cluster = try TestCluster.mock()
    let topic = try await cluster.createTopic("abortable")
    let producer = try cluster.transactionalProducer("id")
    try await producer.initialise()
    try cluster.mock?.pushErrors(apiKey: 24, [29])
    try await producer.begin()
    await #expect(throws: ProduceError.self) { try await producer.send([ProducerRecord(topic: topic, value: [1])]) }
    let error = await #expect(throws: KafkaError.self) { try await producer.commit() }
    #expect(error?.isAbortable == true && error?.isFatal == false)
    try await producer.abort()
    try await producer.begin()
    try await producer.send([ProducerRecord(topic: topic, value: [1])])
    try await producer.commit()
    await producer.close()
  }

  // 47 INVALID_PRODUCER_EPOCH, 90 PRODUCER_FENCED.
  @Test(arguments: [Int32(47), 90])
  func aFencedProducerIsFatallyDead(code: Int32) async throws {
    let cluster = try TestCluster.mock()
    let topic = try await cluster.createTopic("fenced")
    let producer = try cluster.transactionalProducer("id")
    try await producer.initialise()
    try await producer.begin()
    try await producer.send([ProducerRecord(topic: topic, value: [1])])
    try cluster.mock?.pushErrors(apiKey: 26, [code])
    let error = await #expect(throws: KafkaError.self) { try await producer.commit() }
    #expect(error?.isFatal == true)
    let later = await #expect(throws: KafkaError.self) { try await producer.begin() }
    #expect(later?.isFatal == true)
    await producer.close()
  }

  @Test func aCommitThatTimedOutIsEndedByAskingForItAgainAndByNothingElse() async throws {
    let cluster = try TestCluster.mock()
    let topic = try await cluster.createTopic("resumed")
    let producer = try cluster.transactionalProducer("id")
    try await producer.initialise()
    try await producer.begin()
    try await producer.send([ProducerRecord(topic: topic, value: [1])])
    try cluster.mock?.brokerDown()
    let late = await #expect(throws: KafkaError.self) { try await producer.commit(timeout: .milliseconds(300)) }
    #expect(late?.isRetriable == true && late?.isFatal == false && late?.isAbortable == false)
    await #expect(throws: KafkaError.self) { try await producer.abort(timeout: .milliseconds(300)) }
    await #expect(throws: KafkaError.self) { try await producer.begin() }
    try cluster.mock?.brokerUp()
    try await producer.commit()
    try await producer.begin()
    try await producer.send([ProducerRecord(topic: topic, value: [2])])
    try await producer.commit()
    await producer.close()
  }

  @Test func initialisingGivesUpAfterItsTimeout() async throws {
    let cluster = try TestCluster.mock()
    try cluster.mock?.brokerDown()
    let producer = try cluster.transactionalProducer("id")
    let error = await #expect(throws: KafkaError.self) { try await producer.initialise(timeout: .milliseconds(300)) }
    #expect(error?.isRetriable == true)
    try cluster.mock?.brokerUp()
    try await producer.initialise()
    await producer.close()
  }

  @Test(arguments: [
    ([:], Duration.seconds(10)), (["transaction.timeout.ms": "4000"], .seconds(4)), (["delivery.timeout.ms": "3000"], .seconds(10)),
    (["message.timeout.ms": "10000", "socket.timeout.ms": "10000"], .seconds(10)),
  ])
  func theTimeoutIsShortUnlessAnotherIsSet(properties: [String: String], expected: Duration) async throws {
    let producer = try TransactionalProducer(
      configuration: KafkaConfiguration(bootstrapServers: "127.0.0.1:1", properties: properties), transactionalID: "id", clientID: "test",
      logger: .silent)
    #expect(producer.transactionTimeout == expected)
    await producer.close(flushTimeout: .zero)
  }

  // Two thirds of the transaction's time: later it could no longer be aborted.
  @Test func aRecordThatIsNotTakenFailsWhileTheTransactionLives() async throws {
    let cluster = try TestCluster.mock()
    let topic = try await cluster.createTopic("late")
    let producer = try cluster.transactionalProducer("id", ["transaction.timeout.ms": "3000"])
    try await producer.initialise()
    try await producer.begin()
    try cluster.mock?.delayNext(apiKey: 0, by: .seconds(20))
    let start = ContinuousClock.now
    await #expect(throws: ProduceError.self) { try await producer.send([ProducerRecord(topic: topic, value: [1])]) }
    #expect(ContinuousClock.now - start < .seconds(20))
    try await producer.abort()
    await producer.close()
  }

  // 22 InitProducerId.
  @Test func aCancelledCallEndsThoughNoAnswerComesAndSoDoesClosing() async throws {
    let cluster = try TestCluster.mock()
    try cluster.mock?.delayNext(apiKey: 22, by: .seconds(40))
    let producer = try cluster.transactionalProducer("id")
    let clock = ContinuousClock()
    let start = clock.now
    let late = await #expect(throws: KafkaError.self) { try await producer.initialise(timeout: .milliseconds(500)) }
    #expect(late?.isRetriable == true)
    let call = Task { try await producer.initialise() }
    call.cancel()
    let error = await #expect(throws: KafkaError.self) { try await call.value }
    #expect(error?.name == "_INTR")
    await producer.close(flushTimeout: .zero)
    #expect(clock.now - start < .seconds(20), "\(clock.now - start)")
  }

  @Test func groupMetadataStaysThatOfTheGenerationItWasTakenIn() async throws {
    let cluster = try TestCluster(properties: ["session.timeout.ms": "6000", "heartbeat.interval.ms": "500"])
    let topic = try await cluster.createTopic("generations", partitions: 2)
    let group = cluster.name("generations")
    let first = try cluster.consumer(group: group)
    #expect(throws: KafkaError.self) { try first.consumer.groupMetadata() }
    try first.consumer.subscribe([topic])
    let partitions = try #require(await first.assigned())
    try await first.consumer.assign(Dictionary(uniqueKeysWithValues: partitions.map { ($0, .beginning) }))
    let before = try first.consumer.groupMetadata()
    #expect(before.generation >= 0)
    let second = try cluster.consumer(group: group)
    try second.consumer.subscribe([topic])
    let old = before.generation
    let revoked = try #require(await first.revoked())
    #expect(before.generation == old)
    #expect(try old < first.consumer.groupMetadata().generation)
    try await first.consumer.unassign(revoked)
    await first.consumer.close()
    #expect(throws: KafkaError.self) { try first.consumer.groupMetadata() }
    await second.consumer.close()
  }

  @Test(.realCluster) func offsetsOfAnOldGenerationAreRefused() async throws {
    let cluster = try TestCluster(properties: ["session.timeout.ms": "6000", "heartbeat.interval.ms": "500"])
    let topic = try await cluster.createTopic("zombie", partitions: 2)
    let group = cluster.name("zombie")
    let first = try cluster.consumer(group: group)
    try first.consumer.subscribe([topic])
    let partitions = try #require(await first.assigned())
    try await first.consumer.assign(Dictionary(uniqueKeysWithValues: partitions.map { ($0, .beginning) }))
    let before = try first.consumer.groupMetadata()
    let second = try cluster.consumer(group: group)
    try second.consumer.subscribe([topic])
    try await first.consumer.unassign(#require(await first.revoked()))
    _ = await second.assigned()
    let producer = try cluster.transactionalProducer("zombie")
    try await producer.initialise()
    try await producer.begin()
    let refused = await #expect(throws: KafkaError.self) { try await producer.sendOffsets([partitions[0]: 1], of: before) }
    #expect(refused?.isStaleMember == true && refused?.isAbortable == true)
    try await producer.abort()
    await producer.close()
    await first.consumer.close()
    await second.consumer.close()
  }

  @Test(.realCluster) func aSecondProducerOfTheSameNameFencesTheFirst() async throws {
    let cluster = try TestCluster()
    let topic = try await cluster.createTopic("rivals")
    let first = try cluster.transactionalProducer("rivals")
    try await first.initialise()
    try await first.begin()
    try await first.send([ProducerRecord(topic: topic, value: [1])])
    let second = try cluster.transactionalProducer("rivals")
    try await second.initialise()
    let fenced = await #expect(throws: KafkaError.self) { try await first.commit() }
    #expect(fenced?.isFenced == true && fenced?.isFatal == true)
    await first.close()
    await second.close()
  }

  @Test(.realCluster) func offsetsAndOutputsMoveTogetherOrNotAtAll() async throws {
    let cluster = try TestCluster()
    let (input, output) = (try await cluster.createTopic("input"), try await cluster.createTopic("output"))
    let group = cluster.name("together")
    let member = try cluster.consumer(group: group)
    try member.consumer.subscribe([input])
    let partition = try #require(await member.assigned()?.first)
    try await member.consumer.assign([partition: .beginning])
    let metadata = try member.consumer.groupMetadata()
    let admin = try Admin(configuration: cluster.configuration, clientID: "test", logger: .silent)
    let producer = try cluster.transactionalProducer("together")
    try await producer.initialise()
    for (value, isKept) in [(UInt8(1), false), (2, true), (3, false)] {
      try await producer.begin()
      try await producer.send([ProducerRecord(topic: output, value: [value])])
      try await producer.sendOffsets([partition: Int64(value) * 10], of: metadata)
      if isKept { try await producer.commit() } else { try await producer.abort() }
      #expect(try await admin.committed(groupID: group, [partition])[partition] == (value == 1 ? nil : 20))
    }
    // The record behind them shows that the aborted ones are not merely late.
    try await producer.begin()
    try await producer.send([ProducerRecord(topic: output, value: [4])])
    try await producer.commit()
    let reader = try cluster.consumer(group: cluster.name("reader"))
    let written = TopicPartition(topic: output, partition: 0)
    try await reader.consumer.assign([written: .beginning])
    #expect(await reader.records(2, from: written).map(\.value) == [[2], [4]])
    await admin.close()
    for probe in [member, reader] { await probe.consumer.close() }
    await producer.close()
  }

  @Test(.realCluster) func readersOfCommittedRecordsNeverSeeAnAbortedOne() async throws {
    let cluster = try TestCluster()
    let topic = try await cluster.createTopic("isolation")
    let producer = try cluster.transactionalProducer("id")
    try await producer.initialise()
    for (value, isKept) in [([UInt8(1)], true), ([2], false), ([3], true)] {
      try await producer.begin()
      try await producer.send([ProducerRecord(topic: topic, value: value)])
      if isKept { try await producer.commit() } else { try await producer.abort() }
    }
    let probe = try cluster.consumer()
    let partition = TopicPartition(topic: topic, partition: 0)
    try await probe.consumer.assign([partition: .beginning])
    #expect(await probe.records(2, from: partition).map(\.value) == [[1], [3]])
    await probe.consumer.close()
    await producer.close()
  }
}
