import CLibrdkafka
import Synchronization
import Telemetry

/// The one owner of a mock cluster and of the client that carries it.
final class MockClusterHandle: @unchecked Sendable {
  // because the mock cluster locks itself, and `client` keeps it alive while it is used
  private let client: ClientHandle
  private let cluster: OpaquePointer
  let bootstrapServers: String
  private let held = Mutex<[Int32: HeldPort]>([:])

  init(brokers: Int, logger: Logger) throws {
    // The carrier never connects anywhere; it only wants some address.
    client = try ClientHandle(
      role: .admin, configuration: KafkaConfiguration(bootstrapServers: "127.0.0.1:1", properties: ["log_level": "2"]),
      clientID: "mock-cluster", events: 0, logger: logger, wake: {})
    do {
      cluster = try client.withPointer { pointer in
        guard (1...100).contains(brokers), let cluster = rd_kafka_mock_cluster_new(pointer, Int32(brokers)) else {
          throw KafkaError(RD_KAFKA_RESP_ERR__INVALID_ARG, "a mock cluster of \(brokers) brokers cannot be made")
        }
        return cluster
      }
    } catch {
      client.abandon { _ in .destroyed }
      throw error
    }
    bootstrapServers = String(cString: rd_kafka_mock_cluster_bootstraps(cluster))
  }

  deinit { client.abandon(Self.release(OwnedCluster(cluster: cluster))) }

  func close() async { await client.shutDown(Self.release(OwnedCluster(cluster: cluster))) }

  private struct OwnedCluster: @unchecked Sendable {
    // because it is used once, by the shut-down
    let cluster: OpaquePointer
  }

  private static func release(_ owned: OwnedCluster) -> @Sendable (OpaquePointer) -> ClientHandle.Ending {
    { _ in
      rd_kafka_mock_cluster_destroy(owned.cluster)
      return .destroyed
    }
  }

  func createTopic(_ name: String, partitions: Int, replicationFactor: Int) throws {
    guard (1...10_000).contains(partitions), (1...100).contains(replicationFactor) else {
      throw KafkaError(RD_KAFKA_RESP_ERR__INVALID_ARG, "topic \"\(name)\" of \(partitions) partitions and \(replicationFactor) replicas")
    }
    try check { rd_kafka_mock_topic_create($0, name, Int32(clamping: partitions), Int32(clamping: replicationFactor)) }
  }

  func pushErrors(apiKey: Int16, _ codes: [Int32]) throws {
    try check { cluster in
      let codes = codes.map { rd_kafka_resp_err_t(rawValue: $0) }
      rd_kafka_mock_push_request_errors_array(cluster, apiKey, codes.count, codes)
      return RD_KAFKA_RESP_ERR_NO_ERROR
    }
  }

  func clearErrors(apiKey: Int16) throws {
    try check { cluster in
      rd_kafka_mock_clear_request_errors(cluster, apiKey)
      return RD_KAFKA_RESP_ERR_NO_ERROR
    }
  }

  func delayNext(apiKey: Int16, by time: Duration, broker: Int32) throws {
    try check { kafka_mock_delay_next($0, broker, apiKey, time.milliseconds) }
  }

  func setRoundTripTime(_ time: Duration, broker: Int32?) throws {
    try check { rd_kafka_mock_broker_set_rtt($0, broker ?? -1, time == .zero ? 0 : time.milliseconds) }
  }

  func brokerDown(_ broker: Int32?) throws {
    try check { rd_kafka_mock_broker_set_down($0, broker ?? -1) }
    held.withLock { held in
      for (id, port) in ports where held[id] == nil && (broker ?? id) == id { held[id] = HeldPort(port) }
    }
  }

  func brokerUp(_ broker: Int32?) throws {
    let wanted = ports.keys.filter { (broker ?? $0) == $0 }
    held.withLock { held in for id in wanted { held[id]?.letShare() } }
    defer { held.withLock { held in for id in wanted { held[id] = nil } } }
    try check { rd_kafka_mock_broker_set_up($0, broker ?? -1) }
  }

  // Brokers are numbered from 1, in the order of their addresses.
  private var ports: [Int32: UInt16] {
    let ports = bootstrapServers.split(separator: ",").compactMap { $0.split(separator: ":").last.flatMap { UInt16($0) } }
    return Dictionary(uniqueKeysWithValues: zip(1..., ports))
  }

  func setLeader(of partition: TopicPartition, broker: Int32) throws {
    try check { rd_kafka_mock_partition_set_leader($0, partition.topic, partition.partition, broker) }
  }

  func setCoordinator(_ kind: String, _ key: String, broker: Int32) throws {
    try check { rd_kafka_mock_coordinator_set($0, kind, key, broker) }
  }

  private func check(_ body: (OpaquePointer) -> rd_kafka_resp_err_t) throws {
    try client.withPointer { _ in try KafkaError.check(body(cluster)) }
  }
}
