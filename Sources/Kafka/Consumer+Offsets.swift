extension Consumer {
  /// Commits the next offset to read of each partition; returns when the coordinator has stored them. Passing errors, such as a rebalance
  /// that is just being settled, are retried until the timeout.
  public func commit(_ offsets: [TopicPartition: Int64], timeout: Duration = .seconds(5)) async throws {
    guard !offsets.isEmpty else { return }
    try await retrying(for: timeout) { [handle] in try await handle.commit(offsets, timeout: $0) }
  }

  /// Marks the next offsets to read as done. They are committed every `auto.commit.interval.ms` when `enable.auto.commit` is set, and by
  /// `commitStored`. A partition that is not assigned any more is left out.
  public func store(_ offsets: [TopicPartition: Int64]) throws { if !offsets.isEmpty { try handle.store(offsets) } }

  /// Commits what was stored and not committed yet; returns when the coordinator has it, or throws after the timeout.
  public func commitStored(timeout: Duration = .seconds(3)) async throws { try await handle.commitStored(timeout: timeout.milliseconds) }

  /// The group's committed offsets; a partition without one is absent.
  public func committed(_ partitions: [TopicPartition], timeout: Duration = .seconds(10)) async throws -> [TopicPartition: Int64] {
    partitions.isEmpty ? [:] : try await handle.committed(partitions, timeout: timeout.milliseconds)
  }

  /// From the first offset the log still has to the one after its last, asked of the broker.
  public func watermarks(_ partition: TopicPartition, timeout: Duration = .seconds(10)) async throws -> Range<Int64> {
    try await handle.client.watermarks(partition, timeout: timeout.milliseconds)
  }

  /// The offset after the last record taken; a partition of which none was taken is absent.
  public func positions(_ partitions: [TopicPartition]) throws -> [TopicPartition: Int64] { try handle.positions(partitions) }

  /// Goes on reading an assigned partition elsewhere; records fetched before are dropped.
  public func seek(_ partition: TopicPartition, to offset: Int64, timeout: Duration = .seconds(10)) async throws {
    try await handle.seek(partition, to: offset, timeout: timeout.milliseconds)
  }
}

extension Duration {
  /// For the C library, which takes 32 bits; at least 1.
  var milliseconds: Int32 {
    let (seconds, attoseconds) = components
    return Int32(clamping: max(1, min(seconds, 2_000_000) * 1000 + attoseconds / 1_000_000_000_000_000))
  }
}
