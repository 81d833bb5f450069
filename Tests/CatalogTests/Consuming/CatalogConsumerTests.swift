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
    while await consumer.state != state {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test func aQuietClusterIsReadToItsEnd() async throws {
    try await Self.with(["video-records", "channel-details", "request-events"]) { _, _, consumer, _, _ in
      try await Self.reads(consumer, .live)
    }
  }
}
