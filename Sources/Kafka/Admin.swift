import Synchronization
public import Telemetry

/// Looks at a cluster and changes its topics.
///
/// Closing is explicit: `close()`. The mock cluster answers `describeCluster`, `committed` and `watermarks` only.
public final class Admin: Sendable {
  private let handle: AdminHandle
  private let newHandle: @Sendable () throws -> AdminHandle
  private let newConsumer: @Sendable (_ groupID: String) throws -> Consumer
  /// Of the groups whose offsets were asked for: they join nothing.
  private let consumers = Mutex<[String: Consumer]>([:])

  public init(configuration: KafkaConfiguration, clientID: String, logger: Logger) throws {
    newHandle = { try AdminHandle(configuration: configuration, clientID: clientID, logger: logger) }
    newConsumer = { try Consumer(configuration: configuration, groupID: $0, clientID: clientID, logger: logger, wake: {}) }
    handle = try newHandle()
  }

  /// Creates topics and waits until the controller has them; one outcome for each name.
  public func createTopics(_ topics: [NewTopic], timeout: Duration = .seconds(30)) async throws -> [String: TopicCreation] {
    topics.isEmpty ? [:] : try await handle.createTopics(topics, timeout: timeout.milliseconds)
  }

  /// Deletes topics; nil stands for success.
  public func deleteTopics(_ names: [String], timeout: Duration = .seconds(30)) async throws -> [String: KafkaError?] {
    names.isEmpty ? [:] : try await handle.deleteTopics(names, timeout: timeout.milliseconds)
  }

  /// Deletes what lies below the offsets, as retention does.
  public func deleteRecords(before offsets: [TopicPartition: Int64], timeout: Duration = .seconds(30)) async throws {
    if !offsets.isEmpty { try await handle.deleteRecords(before: offsets, timeout: timeout.milliseconds) }
  }

  /// All brokers and topics; creates none.
  public func describeCluster(timeout: Duration = .seconds(10)) async throws -> ClusterDescription {
    try await handle.describeCluster(timeout: timeout.milliseconds)
  }

  /// The settings of topics, by name of the topic; throws when one of them does not exist.
  public func topicConfigurations(
    _ names: [String], timeout: Duration = .seconds(10)
  ) async throws -> [String: [TopicConfigurationEntry]] {
    names.isEmpty ? [:] : try await handle.topicConfigurations(names, timeout: timeout.milliseconds)
  }

  /// A group's committed offsets, without joining it; a partition without one is absent.
  public func committed(
    groupID: String, _ partitions: [TopicPartition], timeout: Duration = .seconds(10)
  ) async throws -> [TopicPartition: Int64] {
    // Not by the request made for it (ListConsumerGroupOffsets): when the broker goes away meanwhile, librdkafka locks up that client's
    // main thread for good (its issue 4605), and with it every later request and the closing.
    let consumer = try consumers.withLock { consumers in
      if let known = consumers[groupID] { return known }
      let consumer = try newConsumer(groupID)
      consumers[groupID] = consumer
      return consumer
    }
    // What it has to tell while nobody asks would pile up.
    _ = consumer.poll()
    return try await consumer.committed(partitions, timeout: timeout)
  }

  /// From the first offset the log still has to the one after its last.
  public func watermarks(_ partition: TopicPartition, timeout: Duration = .seconds(10)) async throws -> Range<Int64> {
    try await handle.client.watermarks(partition, timeout: timeout.milliseconds)
  }

  /// The same of many partitions, in two requests to each broker that leads some of them.
  public func watermarks(
    _ partitions: [TopicPartition], timeout: Duration = .seconds(10)
  ) async throws -> [TopicPartition: Range<Int64>] {
    partitions.isEmpty ? [:] : try await handle.client.watermarks(partitions, timeout: timeout.milliseconds)
  }

  /// Not for processes that have to last: when the broker does not answer, librdkafka 2.0 may end the process by an assertion (its issue
  /// 4605). The mock cluster never answers.
  public func describeGroups(_ groupIDs: [String], timeout: Duration = .seconds(10)) async throws -> [GroupDescription] {
    if groupIDs.isEmpty { return [] }
    // A client of its own, which nobody misses when the library locks it up (see `committed`).
    let handle = try newHandle()
    do {
      let groups = try await handle.describeGroups(groupIDs, timeout: timeout.milliseconds)
      await handle.close()
      return groups
    } catch {
      await handle.leaveBehind()
      throw error
    }
  }

  public func close() async {
    let consumers = consumers.withLock { consumers in
      defer { consumers = [:] }
      return consumers
    }
    for consumer in consumers.values { await consumer.close() }
    await handle.close()
  }
}
