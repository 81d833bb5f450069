import Kafka
import Telemetry
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct CatalogConsumerTests {
  private static func with(
    _ topics: [String], _ body: (MockCluster, KafkaConfiguration, CatalogConsumer, CatalogStore, Metrics) async throws -> Void
  ) async throws {
    let cluster = try MockCluster()
    for topic in topics { try cluster.createTopic(topic, partitions: 1) }
    let kafka = KafkaConfiguration(bootstrapServers: cluster.bootstrapServers)
    try await StoreScene.with { store, _ in
      let metrics = Metrics()
      let consumer = try CatalogConsumer(
        kafka, prefix: "", store: store, hub: EventHub(), metrics: metrics, logger: .silent, onReport: { _ in })
      let reading = Task { await consumer.run() }
      do { try await body(cluster, kafka, consumer, store, metrics) } catch {
        reading.cancel()
        throw error
      }
      reading.cancel()
      await reading.value
    }
    await cluster.close()
  }

  /// The suite's time limit ends it.
  private static func reads(_ consumer: CatalogConsumer, _ state: CatalogConsumer.State) async throws {
    while await consumer.reading.state != state {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test func aQuietClusterIsReadToItsEnd() async throws {
    try await Self.with(["video-records"]) { _, _, consumer, _, _ in
      try await Self.reads(consumer, .live)
    }
  }

  @Test func everyRecordThatIsReadIsCounted() async throws {
    let topics = ["video-records", "worker-status"]
    try await Self.with(topics) { _, kafka, consumer, store, metrics in
      let producer = try Producer(configuration: kafka, clientID: "test", logger: .silent)
      try await producer.send([
        ProducerRecord(topic: topics[0], value: Sample.videoBytes("a")), ProducerRecord(topic: topics[0], value: [0x7B]),
        ProducerRecord(topic: topics[1], value: [0x7B]),
      ])
      await producer.close()
      // The one that cannot be read is counted twice, one after the other.
      while metrics.value(CatalogMetrics.records, topics[0]) != 2 || metrics.value(CatalogMetrics.records, topics[1]) != 1
        || metrics.value(CatalogMetrics.unreadable, topics[0]) != 1
      {
        try Task.checkCancellation()
        await Task.yield()
      }
    }
  }

  @Test func howFarItIsBehindIsForgottenWithTheBroker() async throws {
    try await Self.with(["video-records"]) { cluster, kafka, consumer, store, metrics in
      let monitor = PipelineMonitor(
        kafka, prefix: "", store: store, quota: FixedQuota(), hub: EventHub(), metrics: metrics, logger: .silent)
      await monitor.watch(consumer)
      try await Self.isBehind(0, monitor)
      try cluster.brokerDown()
      try await Self.isBehind(nil, monitor)
      try cluster.brokerUp()
    }
  }

  private static func isBehind(_ offsets: Int?, _ monitor: PipelineMonitor) async throws {
    while await monitor.consuming().behind != offsets {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test func whatCannotBeStoredIsBehind() async throws {
    try await Self.with(["video-records"]) { _, kafka, consumer, store, _ in
      try await Self.reads(consumer, .live)
      await store.close()
      let producer = try Producer(configuration: kafka, clientID: "test", logger: .silent)
      try await producer.send((0..<5).map { ProducerRecord(topic: "video-records", value: Sample.videoBytes("v\($0)")) })
      await producer.close()
      while await consumer.reading.behind != 5 {
        try Task.checkCancellation()
        await Task.yield()
      }
      #expect(await consumer.reading.state == .away)
    }
  }
}
