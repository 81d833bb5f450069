import Kafka
import Messages

extension Messages.TopicPartition {
  init(_ partition: Kafka.TopicPartition) { self.init(topic: partition.topic, partition: partition.partition) }

  var kafka: Kafka.TopicPartition { Kafka.TopicPartition(topic: topic, partition: partition) }
}

extension ReceivedMessage {
  init(_ record: ConsumedRecord, _ partition: Messages.TopicPartition) {
    self.init(
      source: partition, offset: record.offset, timestamp: record.timestamp, key: record.key, value: record.value,
      headers: record.headers.map { MessageHeader($0.name, $0.value) })
  }
}

extension ProducerRecord {
  init(_ message: OutgoingMessage, prefix: String) {
    self.init(
      topic: prefix + message.topic.name, key: message.key, value: message.value,
      headers: message.headers.map { KafkaHeader(name: $0.name, value: $0.value) })
  }
}
