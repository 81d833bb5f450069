/// A topic's partitions.
public struct TopicDescription: Hashable, Sendable {
  public struct Partition: Hashable, Sendable {
    public let id: Int32
    /// nil while the partition has none.
    public let leader: Int32?
    public let replicas: [Int32]
    public let inSyncReplicas: [Int32]
  }

  public let name: String
  public let partitions: [Partition]
  public let error: KafkaError?
}
