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

  private static func video(_ id: String) -> ProducerRecord {
    ProducerRecord(
      topic: "video-records", key: Array(id.utf8), value: Sample.videoBytes(id),
      timestamp: Int64(StoreScene.today.timeIntervalSince1970) * 1000)
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
        Self.video("a"), ProducerRecord(topic: topics[0], value: [0x7B]),
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
      try await producer.send((0..<5).map { Self.video("v\($0)") })
      await producer.close()
      // The ends of the logs may be looked at before the records are read, which the store refuses.
      while await consumer.reading != (.away, 5) {
        try Task.checkCancellation()
        await Task.yield()
      }
    }
  }

  @Test func eachClusterAtTheAddressHasItsOwnPositions() async throws {
    let (first, second) = (try MockCluster(), try MockCluster())
    for cluster in [first, second] { try cluster.createTopic("video-records", partitions: 1) }
    try second.brokerDown()
    let servers = "\(first.bootstrapServers),\(second.bootstrapServers)"
    try await StoreScene.with { store, _ in
      try await Self.reading(servers, into: store) {
        try await Self.publish(["a", "b", "c"], to: first, into: store)
        try first.brokerDown()
        try second.brokerUp()
        try await Self.publish(["d", "e", "f", "g", "h"], to: second, into: store)
        // What came before the look that noticed the change is read again under its own cluster.
        var positions: [Int] = []
        while positions.last != 5 {
          try Task.checkCancellation()
          await Task.yield()
          positions = try await Self.positions(store)
        }
        #expect(positions.count == 2 && positions[0] <= 3, "\(positions)")
      }
      try second.brokerDown()
      try first.brokerUp()
      try await Self.reading(servers, into: store) {
        try await Self.publish(["i"], to: first, into: store)
        #expect(try await Self.positions(store) == [4, 5])
      }
    }
    for cluster in [first, second] { await cluster.close() }
  }

  private static func reading(_ servers: String, into store: CatalogStore, _ body: () async throws -> Void) async throws {
    let kafka = KafkaConfiguration(
      bootstrapServers: servers, properties: ["reconnect.backoff.ms": "20", "reconnect.backoff.max.ms": "50"])
    let consumer = try CatalogConsumer(
      kafka, prefix: "", store: store, hub: EventHub(), metrics: Metrics(), logger: .silent, onReport: { _ in })
    let reading = Task { await consumer.run() }
    defer { reading.cancel() }
    try await body()
    reading.cancel()
    await reading.value
  }

  /// Returns when all of them are stored.
  private static func publish(_ ids: [String], to cluster: MockCluster, into store: CatalogStore) async throws {
    let producer = try Producer(
      configuration: KafkaConfiguration(bootstrapServers: cluster.bootstrapServers), clientID: "test", logger: .silent)
    try await producer.send(ids.map { Self.video($0) })
    await producer.close()
    for id in ids {
      while try await store.record(of: id) == nil {
        try Task.checkCancellation()
        await Task.yield()
      }
    }
  }

  private static func positions(_ store: CatalogStore) async throws -> [Int] {
    try await store.read { try $0.connection.query("SELECT next FROM log_position ORDER BY next") { $0.int(0) ?? 0 } }
  }
}
