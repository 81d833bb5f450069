import FoundationEssentials
import Messages
import Telemetry

/// Partitions come and go.
extension Worker {
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
    await settle()
    drop(partitions)
    await source.release(partitions)
  }

  private func drop(_ partitions: [TopicPartition]) {
    for id in window.drop(partitions) { tasks[id]?.cancel() }
    for partition in partitions { leaving[partition] = nil }
  }

  private func skipGap(_ partition: TopicPartition, _ reason: String) async {
    metrics.add(WorkerMetrics.gaps, 1, stage.name.rawValue)
    logger.error(
      "Messages were deleted before they were read; going on at the oldest one", ["partition": "\(partition)", "error": .string(reason)])
    window.gap(partition)
    do { try await source.startAtOldest(partition) } catch {
      failure = .fatal("\(partition) cannot be read from its beginning: \(error)")
    }
  }
}
