public import Telemetry

/// Looks at a cluster and changes its topics.
///
/// Closing is explicit: `close()`. The mock cluster answers `describeCluster` and `committed` only.
public final class Admin: Sendable {
  private let handle: AdminHandle

  public init(configuration: KafkaConfiguration, clientID: String, logger: Logger) throws {
    handle = try AdminHandle(configuration: configuration, clientID: clientID, logger: logger)
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

  /// A group's committed offsets, without joining it; nil asks for all partitions. A partition without one is absent.
  public func committed(
    groupID: String, _ partitions: [TopicPartition]? = nil, timeout: Duration = .seconds(10)
  ) async throws -> [TopicPartition: Int64] {
    try await handle.committed(groupID: groupID, partitions, timeout: timeout.milliseconds)
  }

  /// From the first offset the log still has to the one after its last.
  public func watermarks(_ partition: TopicPartition, timeout: Duration = .seconds(10)) async throws -> Range<Int64> {
    try await handle.watermarks(partition, timeout: timeout.milliseconds)
  }

  public func groupIDs(timeout: Duration = .seconds(10)) async throws -> [String] {
    try await handle.groupIDs(timeout: timeout.milliseconds)
  }

  public func describeGroups(_ groupIDs: [String], timeout: Duration = .seconds(10)) async throws -> [GroupDescription] {
    groupIDs.isEmpty ? [] : try await handle.describeGroups(groupIDs, timeout: timeout.milliseconds)
  }

  public func close() async { await handle.close() }
}
