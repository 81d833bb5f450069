public import Kafka
public import Messages

extension ReceivedMessage {
  public init(_ record: ConsumedRecord) {
    self.init(
      source: Messages.TopicPartition(topic: record.topic, partition: record.partition), offset: record.offset,
      timestamp: record.timestamp, key: record.key, value: record.value, headers: record.headers.map { MessageHeader($0.name, $0.value) })
  }
}
