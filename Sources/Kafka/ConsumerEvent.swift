/// What a consumer reports beside records.
public enum ConsumerEvent: Sendable {
  /// The group gave these partitions: answer with `assign`. An empty list is a rebalance that changed nothing, answered already.
  case assigned([TopicPartition])
  /// The group takes these partitions: finish, commit, then answer with `unassign`.
  case revoked([TopicPartition])
  /// These partitions already belong to others: drop their work, do not commit, answer with `unassign`.
  case lost([TopicPartition])
  /// The log no longer (or not yet) has the position: the partition stands still until `seek`.
  case offsetOutOfRange(TopicPartition, KafkaError)
  /// Everything up to this offset has been fetched; comes after its records, and only when `enable.partition.eof` is set.
  case endOfPartition(TopicPartition, Int64)
  case error(KafkaError)
  /// JSON, when `statistics.interval.ms` is set.
  case statistics(String)
}
