public import Telemetry

/// A Kafka cluster inside this process, for the embedded broker and for tests; listens on 127.0.0.1.
///
/// It has no admin requests, keeps the last 5 MB or 100,000 records of a partition, and does not store offsets of transactions.
public final class MockCluster: Sendable {
  private let handle: MockClusterHandle

  public init(brokers: Int = 1, logger: Logger = .silent) throws {
    handle = try MockClusterHandle(brokers: brokers, logger: logger)
  }

  /// `host:port`, several separated by commas.
  public var bootstrapServers: String { handle.bootstrapServers }

  public func createTopic(_ name: String, partitions: Int, replicationFactor: Int = 1) throws {
    try handle.createTopic(name, partitions: partitions, replicationFactor: replicationFactor)
  }

  /// The next requests of that kind (https://kafka.apache.org/protocol#protocol_api_keys) fail with these codes, one each; -195
  /// (`_TRANSPORT`) disconnects the client.
  public func pushErrors(apiKey: Int16, _ codes: [Int32]) throws { try handle.pushErrors(apiKey: apiKey, codes) }

  public func clearErrors(apiKey: Int16) throws { try handle.clearErrors(apiKey: apiKey) }

  /// The next request of that kind to that broker (1…) is answered that much later, and so are those behind it on its connection.
  public func delayNext(apiKey: Int16, by time: Duration, broker: Int32 = 1) throws {
    try handle.delayNext(apiKey: apiKey, by: time, broker: broker)
  }

  /// Delays every answer; all brokers unless one is named (1…).
  public func setRoundTripTime(_ time: Duration, broker: Int32? = nil) throws { try handle.setRoundTripTime(time, broker: broker) }

  /// Disconnects clients and refuses new ones until `brokerUp`; all brokers unless one is named.
  public func brokerDown(_ broker: Int32? = nil) throws { try handle.brokerDown(broker) }

  public func brokerUp(_ broker: Int32? = nil) throws { try handle.brokerUp(broker) }

  public func setLeader(of partition: TopicPartition, broker: Int32) throws { try handle.setLeader(of: partition, broker: broker) }

  public func setGroupCoordinator(_ groupID: String, broker: Int32) throws {
    try handle.setCoordinator("group", groupID, broker: broker)
  }

  public func setTransactionCoordinator(_ transactionalID: String, broker: Int32) throws {
    try handle.setCoordinator("transaction", transactionalID, broker: broker)
  }

  /// Stops the cluster; also done when the last reference goes.
  public func close() async { await handle.close() }
}
