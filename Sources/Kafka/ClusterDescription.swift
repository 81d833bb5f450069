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
}
