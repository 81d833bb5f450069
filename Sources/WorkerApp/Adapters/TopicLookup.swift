import Kafka
import Telemetry

/// Looks for a topic without creating it, as a producer would, with a broker's own settings.
enum TopicLookup {
  /// Its partitions; none when there is no such topic. Throws when no broker answers within the timeout.
  static func partitions(
    of topic: String, _ kafka: KafkaConfiguration, clientID: String, timeout: Duration, logger: Logger
  ) async throws -> [TopicPartition] {
    let admin = try Admin(configuration: kafka, clientID: clientID, logger: logger)
    let cluster: Result<ClusterDescription, any Error>
    do { cluster = .success(try await admin.describeCluster(timeout: timeout)) } catch { cluster = .failure(error) }
    await admin.close()
    return try cluster.get().partitions(of: [topic])
  }
}
