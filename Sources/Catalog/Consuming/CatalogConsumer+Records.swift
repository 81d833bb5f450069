import Kafka
import Telemetry

extension CatalogConsumer {
  /// What records do to the store, and where reading goes on behind them.
  func read(_ records: [ConsumedRecord]) async -> (inputs: [CatalogInput], next: [Kafka.TopicPartition: Int64]) {
    var inputs: [CatalogInput] = []
    var next: [Kafka.TopicPartition: Int64] = [:]
    for record in records {
      guard let content = topics.byName[record.topic] else { continue }
      next[record.topicPartition] = record.offset + 1
      metrics.add(CatalogMetrics.records, 1, topics.label(record.topic))
      if content == .workers {
        await onReport(record)
        continue
      }
      do throws(UnreadableRecord) {
        if let input = try CatalogInput(record, content, now: store.now) { inputs.append(input) }
      } catch {
        metrics.add(CatalogMetrics.unreadable, 1, topics.label(record.topic))
        logger.warning(
          "A record cannot be read and is left out",
          [
            "topic": .string(record.topic), "partition": .int(Int(record.partition)), "offset": .int(Int(record.offset)),
            "error": .string(error.description),
          ])
      }
    }
    return (inputs, next)
  }
}
