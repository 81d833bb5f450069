/// One setting of a topic as it is in force.
public struct TopicConfigurationEntry: Hashable, Sendable {
  public let name: String
  /// nil for a secret.
  public let value: String?
  public let isDefault: Bool
}
