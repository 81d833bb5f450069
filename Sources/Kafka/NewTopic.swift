/// A topic to create; nil lets the broker decide.
public struct NewTopic: Hashable, Sendable {
  public var name: String
  public var partitions: Int?
  public var replicationFactor: Int?
  /// Topic configuration, such as `cleanup.policy`.
  public var configuration: [String: String]

  public init(name: String, partitions: Int? = nil, replicationFactor: Int? = nil, configuration: [String: String] = [:]) {
    self.name = name
    self.partitions = partitions
    self.replicationFactor = replicationFactor
    self.configuration = configuration
  }
}
