import Kafka
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ProducerTests {
  @Test func keepsNullAndEmptyApartInKeysValuesAndHeaders() async throws {
    let cluster = try TestCluster()
    let topic = try await cluster.createTopic("bytes")
    let headers = [
      KafkaHeader(name: "null", value: nil), KafkaHeader(name: "empty", value: []), KafkaHeader(name: "bytes", value: [0, 255]),
      KafkaHeader("same", "1"), KafkaHeader("same", "2"), KafkaHeader(name: "", value: [1]), KafkaHeader("grüße", "ü"),
    ]
    let sent = [
      ProducerRecord(topic: topic, key: nil, value: nil, headers: headers, timestamp: 1_700_000_000_123),
      ProducerRecord(topic: topic, key: [], value: [], timestamp: 1),
      ProducerRecord(topic: topic, key: [1], value: nil),
      ProducerRecord(topic: topic, key: [0, 1], value: [UInt8](repeating: 7, count: 100_000)),
    ]
    let producer = try cluster.producer()
    try await producer.send(sent)
    let probe = try cluster.consumer()
    let partition = TopicPartition(topic: topic, partition: 0)
    try await probe.consumer.assign([partition: .beginning])
    let records = await probe.records(4, from: partition)
    #expect(records.map(\.key) == sent.map(\.key))
    #expect(records.map(\.value) == sent.map(\.value))
    #expect(records.map(\.headers) == sent.map(\.headers))
    #expect(records.map(\.offset) == [0, 1, 2, 3])
    #expect(records.prefix(2).map(\.timestamp) == [1_700_000_000_123, 1])
    #expect(records.dropFirst(2).allSatisfy { ($0.timestamp ?? 0) > 1_700_000_000_123 })
    await probe.consumer.close()
    await producer.close()
  }

  @Test func aFullQueueMakesTheSenderWaitAndKeepsTheOrder() async throws {
    let cluster = try TestCluster(properties: ["queue.buffering.max.messages": "10", "linger.ms": "1"])
    let topic = try await cluster.createTopic("full")
    let producer = try cluster.producer()
    try await producer.send((0..<1000).map { ProducerRecord(topic: topic, partition: 0, value: Array("\($0)".utf8)) })
    let probe = try cluster.consumer()
    let partition = TopicPartition(topic: topic, partition: 0)
    try await probe.consumer.assign([partition: .beginning])
    let records = await probe.records(1000, from: partition)
    #expect(records.map { String(decoding: $0.value ?? [], as: UTF8.self) } == (0..<1000).map { "\($0)" })
    await probe.consumer.close()
    await producer.close()
  }

  @Test func concurrentSendersEachGetTheirOwnOutcome() async throws {
    let cluster = try TestCluster(properties: ["queue.buffering.max.messages": "50"])
    let topic = try await cluster.createTopic("concurrent", partitions: 3)
    let producer = try cluster.producer()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sender in 0..<20 {
        group.addTask {
          try await producer.send((0..<100).map { ProducerRecord(topic: topic, key: Array("\(sender)".utf8), value: Array("\($0)".utf8)) })
        }
      }
      try await group.waitForAll()
    }
    let probe = try cluster.consumer()
    var counts = 0
    for id in Int32(0)..<3 { counts += try await Int(probe.consumer.watermarks(TopicPartition(topic: topic, partition: id)).upperBound) }
    #expect(counts == 2000)
    await probe.consumer.close()
    await producer.close()
  }

  @Test func aRecordThatIsTooLargeFailsAloneAndIsNamed() async throws {
    let cluster = try TestCluster(properties: ["message.max.bytes": "10000"])
    let topic = try await cluster.createTopic("large")
    let producer = try cluster.producer()
    let error = await #expect(throws: ProduceError.self) {
      try await producer.send([
        ProducerRecord(topic: topic, value: [1]), ProducerRecord(topic: topic, value: [UInt8](repeating: 1, count: 20_000)),
        ProducerRecord(topic: topic, value: [2]),
      ])
    }
    #expect(error?.failures.map(\.index) == [1])
    #expect(error?.first.isTooLarge == true)
    let probe = try cluster.consumer()
    #expect(try await probe.consumer.watermarks(TopicPartition(topic: topic, partition: 0)) == 0..<2)
    await probe.consumer.close()
    await producer.close()
  }

  @Test func aRecordThatNeverFitsTheQueueFailsInsteadOfWaiting() async throws {
    let cluster = try TestCluster(properties: ["queue.buffering.max.kbytes": "1"])
    let topic = try await cluster.createTopic("never")
    let producer = try cluster.producer()
    let error = await #expect(throws: ProduceError.self) {
      try await producer.send([ProducerRecord(topic: topic, value: [UInt8](repeating: 1, count: 5000))])
    }
    #expect(error?.first.name == "_QUEUE_FULL")
    await producer.close()
  }

  @Test(arguments: ["", String(repeating: "x", count: 600)])
  func anImpossibleTopicNameIsAFailureOfItsRecord(topic: String) async throws {
    let cluster = try TestCluster()
    let good = try await cluster.createTopic("good")
    let producer = try cluster.producer()
    let error = await #expect(throws: ProduceError.self) {
      try await producer.send([ProducerRecord(topic: topic, value: [1]), ProducerRecord(topic: good, value: [1])])
    }
    #expect(error?.failures.map(\.index) == [0])
    await producer.close()
  }

  // 6 NOT_LEADER_FOR_PARTITION, 7 REQUEST_TIMED_OUT, 19 NOT_ENOUGH_REPLICAS, -195 disconnects.
  @Test(arguments: [Int32(6), 7, 19, -195])
  func passingFaultsAreRetriedWithoutADuplicate(code: Int32) async throws {
    let cluster = try TestCluster.mock()
    let topic = try await cluster.createTopic("retried")
    let producer = try cluster.producer(["retry.backoff.ms": "10"])
    try cluster.mock?.pushErrors(apiKey: 0, [code])
    try await producer.send((0..<10).map { ProducerRecord(topic: topic, value: [UInt8($0)]) })
    let probe = try cluster.consumer()
    #expect(try await probe.consumer.watermarks(TopicPartition(topic: topic, partition: 0)) == 0..<10)
    await probe.consumer.close()
    await producer.close()
  }

  @Test func aRecordWhoseAnswerIsMissingMayBeInTheLog() async throws {
    let cluster = try TestCluster.mock()
    let topic = try await cluster.createTopic("uncertain")
    let producer = try cluster.producer(["message.timeout.ms": "1000"])
    try await producer.send([ProducerRecord(topic: topic, value: [1])])
    try cluster.mock?.delayNext(apiKey: 0, by: .seconds(4))
    let error = await #expect(throws: ProduceError.self) { try await producer.send([ProducerRecord(topic: topic, value: [2])]) }
    #expect(error?.isUncertain == true)
    try cluster.mock?.brokerDown()
    let unsent = await #expect(throws: ProduceError.self) { try await producer.send([ProducerRecord(topic: topic, value: [3])]) }
    #expect(unsent?.isUncertain == false)
    await producer.close()
  }

  @Test func aRefusalByTheBrokerIsReported() async throws {
    let cluster = try TestCluster.mock()
    let topic = try await cluster.createTopic("refused")
    let producer = try cluster.producer()
    try cluster.mock?.pushErrors(apiKey: 0, [29])
    let error = await #expect(throws: ProduceError.self) { try await producer.send([ProducerRecord(topic: topic, value: [1])]) }
    #expect(error?.first.name == "TOPIC_AUTHORIZATION_FAILED")
    #expect(error?.first.isRetriable == false)
    await producer.close()
  }

  @Test func closingFailsWhatCannotBeDelivered() async throws {
    let cluster = try TestCluster.mock(properties: ["queue.buffering.max.messages": "10"])
    let topic = try await cluster.createTopic("closed")
    let producer = try cluster.producer()
    try await producer.send([ProducerRecord(topic: topic, value: [0])])
    try cluster.mock?.brokerDown()
    let sender = Task { () -> ProduceError? in
      do throws(ProduceError) {
        try await producer.send((0..<50).map { ProducerRecord(topic: topic, value: [$0]) })
        return nil
      } catch { return error }
    }
    await producer.close(flushTimeout: .milliseconds(50))
    let error = try #require(await sender.value)
    #expect(error.failures.count == 50)
    await producer.close()
    let late = await #expect(throws: ProduceError.self) { try await producer.send([ProducerRecord(topic: topic, value: [0])]) }
    #expect(late?.first.isClosed == true)
  }

  @Test func cancellingStopsASenderThatWaitsForRoom() async throws {
    let cluster = try TestCluster.mock(properties: ["queue.buffering.max.messages": "10", "delivery.timeout.ms": "1000", "linger.ms": "0"])
    let topic = try await cluster.createTopic("cancelled")
    let producer = try cluster.producer()
    try await producer.send([ProducerRecord(topic: topic, value: [0])])
    try cluster.mock?.brokerDown()
    let sender = Task { () -> ProduceError? in
      do throws(ProduceError) {
        try await producer.send((0..<50).map { ProducerRecord(topic: topic, value: [$0]) })
        return nil
      } catch { return error }
    }
    sender.cancel()
    let error = try #require(await sender.value)
    #expect(error.failures.suffix(40).allSatisfy { $0.error.name == "_INTR" })
    await producer.close(flushTimeout: .milliseconds(10))
  }

  @Test func flushReturnsWhenNothingIsOnItsWayAndThrowsAfterTheEnd() async throws {
    let cluster = try TestCluster()
    let producer = try cluster.producer()
    try await producer.flush(timeout: .seconds(1))
    await producer.close()
    let error = await #expect(throws: KafkaError.self) { try await producer.flush(timeout: .seconds(1)) }
    #expect(error?.isClosed == true)
  }

  @Test func aCancelledSendThatPurgesDoesNotWaitForABrokerThatIsAway() async throws {
    let cluster = try TestCluster.mock()
    let topic = try await cluster.createTopic("purged")
    let producer = try cluster.producer()
    try cluster.mock?.brokerDown()
    let send = Task { () -> ProduceError? in
      do throws(ProduceError) {
        try await producer.send(
          [ProducerRecord(topic: topic, value: [1]), ProducerRecord(topic: topic, value: [2])], purgingWhenCancelled: true)
        return nil
      } catch { return error }
    }
    send.cancel()
    let error = await send.value
    #expect(error?.failures.map(\.index).sorted() == [0, 1])
    #expect(error?.failures.allSatisfy { $0.error.name.hasPrefix("_PURGE_") } == true)
    await producer.close()
  }
}
