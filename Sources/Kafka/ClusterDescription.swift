/// Brokers and topics as the cluster sees them now.
public struct ClusterDescription: Hashable, Sendable {
  public struct Broker: Hashable, Sendable {
    public let id: Int32
    public let host: String
    public let port: Int
  }

  /// nil when the cluster does not tell.
  public let clusterID: String?
  public let controllerID: Int32?
  public let brokers: [Broker]
  public let topics: [TopicDescription]

  public func topic(_ name: String) -> TopicDescription? { topics.first { $0.name == name } }

  /// Those of the topics that exist, topic by topic.
  public func partitions(of names: [String]) -> [TopicPartition] {
    names.flatMap { name in (topic(name)?.partitions ?? []).map { TopicPartition(topic: name, partition: $0.id) } }
  }
}
