/// A record as the broker keeps it; a null value is a tombstone.
public struct ConsumedRecord: Hashable, Sendable {
  public let topic: String
  public let partition: Int32
  public let offset: Int64
  /// Milliseconds since 1970; nil when the record has none.
  public let timestamp: Int64?
  public let key: [UInt8]?
  public let value: [UInt8]?
  public let headers: [KafkaHeader]

  public init(
    topic: String, partition: Int32, offset: Int64, timestamp: Int64? = nil, key: [UInt8]? = nil, value: [UInt8]?,
    headers: [KafkaHeader] = []
  ) {
    self.topic = topic
    self.partition = partition
    self.offset = offset
    self.timestamp = timestamp
    self.key = key
    self.value = value
    self.headers = headers
  }

  public var topicPartition: TopicPartition { TopicPartition(topic: topic, partition: partition) }
}
