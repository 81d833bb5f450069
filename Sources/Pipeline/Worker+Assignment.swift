import FoundationEssentials
import Messages
import Telemetry

/// A partition that stands still because the log no longer has its position, and has not been set to the oldest message yet.
struct Gap: Sendable {
  let failures: Int
  let nextTry: Date
}

/// Partitions come and go.
extension Worker {
  private static let mostGapFailures = 10

  func received(_ event: SourceEvent) async {
    switch event {
    case .assigned(let partitions): await assign(partitions)
    case .revoked(let partitions): revoke(partitions)
    case .lost(let partitions): await lose(partitions)
    case .gap(let partition, let reason): await skipGap(partition, reason)
    case .error(let reason, isFatal: true):
      logger.error("The consumer cannot go on", ["error": .string(reason)])
      failure = .fatal(reason)
    case .error(let reason, isFatal: false):
      metrics.add(WorkerMetrics.sourceErrors, 1, stage.name.rawValue)
      logger.warning("Kafka reports an error", ["error": .string(reason)])
    }
  }

  private func assign(_ partitions: [TopicPartition]) async {
    logger.info("Partitions assigned", ["partitions": .string(partitions.map(\.description).sorted().joined(separator: ","))])
    window.assign(partitions)
    do { try await source.start(partitions) } catch {
      failure = .fatal("The assigned partitions cannot be read: \(error)")
    }
    if shutdownDeadline != nil { window.revokeAll() }
  }

  private func revoke(_ partitions: [TopicPartition]) {
    logger.info("Partitions revoked", ["partitions": .string(partitions.map(\.description).sorted().joined(separator: ","))])
    window.revoke(partitions)
    let deadline = now().addingTimeInterval(configuration.revokeGrace.seconds)
    for partition in partitions { leaving[partition] = deadline }
  }

  private func lose(_ partitions: [TopicPartition]) async {
    logger.warning("Partitions lost", ["partitions": .string(partitions.map(\.description).sorted().joined(separator: ","))])
    drop(partitions)
    await source.release(partitions)
  }

  /// Gives revoked partitions up when their work is done or their grace is over.
  ///
  /// All of one revocation leave together, because the group goes on only when the last one was released.
  func letGo() async {
    guard !leaving.isEmpty else { return }
    let busy = leaving.keys.filter { window.isBusy($0) }
    let deadline = leaving.values.max() ?? .distantPast
    // A batch on its way is waited for: its offsets must not be committed when the next owner has begun.
    guard busy.isEmpty || now() >= deadline && !isDelivering(leaving.keys) else { return }
    if !busy.isEmpty { logger.notice("Work on revoked partitions is cut short", ["partitions": .int(busy.count)]) }
    let partitions = Array(leaving.keys)
    // Before anything is waited for: a delivery that is being tried again must not publish their work while they leave.
    drop(partitions)
    await settle()
    await source.release(partitions)
  }

  private func drop(_ partitions: [TopicPartition]) {
    for id in window.drop(partitions) { tasks[id]?.cancel() }
    for partition in partitions {
      leaving[partition] = nil
      gaps[partition] = nil
    }
  }

  private func skipGap(_ partition: TopicPartition, _ reason: String) async {
    metrics.add(WorkerMetrics.gaps, 1, stage.name.rawValue)
    logger.error(
      "Messages were deleted before they were read; going on at the oldest one", ["partition": "\(partition)", "error": .string(reason)])
    window.gap(partition)
    await startAtOldest(partition, failures: 0)
  }

  /// Tries again to leave gaps that could not be left before.
  func leaveGaps() async {
    for (partition, gap) in gaps where gap.nextTry <= now() && leaving[partition] == nil {
      await startAtOldest(partition, failures: gap.failures)
    }
  }

  // A broker may be away, or a rebalance under way, just then: that is no reason to end the process.
  private func startAtOldest(_ partition: TopicPartition, failures: Int) async {
    do {
      try await source.startAtOldest(partition)
      gaps[partition] = nil
    } catch {
      gaps[partition] = Gap(failures: failures + 1, nextTry: now().addingTimeInterval(1))
      logger.warning(
        "The oldest message cannot be found yet",
        ["partition": "\(partition)", "retry.attempt": .int(failures + 1), "error": "\(error)"])
      if failures + 1 >= Self.mostGapFailures { failure = .fatal("\(partition) cannot be read from its beginning: \(error)") }
    }
  }
}
