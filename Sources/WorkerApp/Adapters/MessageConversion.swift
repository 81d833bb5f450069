import Kafka
import Messages
import Pipeline

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

extension DeliveryBatch {
  func records(prefix: String) -> [ProducerRecord] { outputs.map { ProducerRecord($0, prefix: prefix) } }

  var kafkaOffsets: [Kafka.TopicPartition: Int64] {
    Dictionary(uniqueKeysWithValues: offsets.map { ($0.key.kafka, $0.value) })
  }
}
