public import Kafka

extension Admin {
  /// From a group's committed offset to the end of the log, or the part of it that the log still has.
  public func uncommitted(
    groupID: String, _ partitions: [Kafka.TopicPartition], timeout: Duration = .seconds(10)
  ) async throws -> [Kafka.TopicPartition: Range<Int64>] {
    let committed = try await committed(groupID: groupID, partitions, timeout: timeout)
    var ranges: [Kafka.TopicPartition: Range<Int64>] = [:]
    for (partition, log) in try await watermarks(partitions, timeout: timeout) {
      let begin = min(max(log.lowerBound, committed[partition] ?? log.lowerBound), log.upperBound)
      ranges[partition] = begin..<log.upperBound
    }
    return ranges
  }
}
