/// A record to publish; a null value is a tombstone.
public struct ProducerRecord: Hashable, Sendable {
  public var topic: String
  /// nil: chosen by the hash of the key.
  public var partition: Int32?
  public var key: [UInt8]?
  public var value: [UInt8]?
  public var headers: [KafkaHeader]
  /// Milliseconds since 1970; nil: now.
  public var timestamp: Int64?

  public init(
    topic: String, partition: Int32? = nil, key: [UInt8]? = nil, value: [UInt8]?, headers: [KafkaHeader] = [], timestamp: Int64? = nil
  ) {
    self.topic = topic
    self.partition = partition
    self.key = key
    self.value = value
    self.headers = headers
    self.timestamp = timestamp
  }
}
