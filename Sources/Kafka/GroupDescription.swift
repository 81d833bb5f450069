/// A consumer group and its members.
public struct GroupDescription: Hashable, Sendable {
  public struct Member: Hashable, Sendable {
    public let id: String
    public let clientID: String
    /// Set for a static member.
    public let instanceID: String?
    public let host: String
    public let partitions: [TopicPartition]
  }

  public let groupID: String
  /// `Stable`, `Empty`, `PreparingRebalance`, …
  public let state: String
  public let assignor: String
  public let members: [Member]
}
