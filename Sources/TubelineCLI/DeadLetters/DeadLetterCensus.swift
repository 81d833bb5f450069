import Kafka
import Messages
import Monitoring

/// What the dead-letter topics held at one moment: which letters wait, and which are settled.
struct DeadLetterCensus: Sendable {
  /// The partitions that were counted, with their stage and extent.
  let extents: [Kafka.TopicPartition: Range<Int64>]
  private(set) var waiting: [Kafka.TopicPartition: Set<Int64>] = [:]
  private(set) var settlements: [Kafka.TopicPartition: [Int64: Settlement]] = [:]

  init(extents: [Kafka.TopicPartition: Range<Int64>]) { self.extents = extents }

  /// Counts a record; a partition's records come in the order of their offsets, so a settlement comes behind its letter.
  mutating func note(_ record: ConsumedRecord) {
    let partition = record.topicPartition
    guard let settlement = Settlement(ReceivedMessage(record)) else {
      waiting[partition, default: []].insert(record.offset)
      return
    }
    // Of a letter that retention took, or that was settled twice, nothing is left to say.
    guard waiting[partition]?.remove(settlement.offset) != nil else { return }
    settlements[partition, default: [:]][settlement.offset] = settlement
  }

  var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }
  var settledCount: Int { settlements.values.reduce(0) { $0 + $1.count } }

  /// The letter at that place; nil where there is none, which includes settlements.
  func letter(_ record: ConsumedRecord, stage: StageName) -> DeadLetterRecord? {
    let settlement = settlements[record.topicPartition]?[record.offset]
    guard settlement != nil || waiting[record.topicPartition]?.contains(record.offset) == true else { return nil }
    let id = DeadLetterID(stage: stage, partition: record.partition, offset: record.offset)
    return DeadLetterRecord(id: id, message: ReceivedMessage(record), settlement: settlement)
  }
}
