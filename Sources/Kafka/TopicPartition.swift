/// One partition of one topic.
public struct TopicPartition: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let topic: String
  public let partition: Int32

  public init(topic: String, partition: Int32) {
    self.topic = topic
    self.partition = partition
  }

  public var description: String { "\(topic)-\(partition)" }

  public static func < (left: TopicPartition, right: TopicPartition) -> Bool {
    (left.topic, left.partition) < (right.topic, right.partition)
  }
}
