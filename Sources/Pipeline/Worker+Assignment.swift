import FoundationEssentials
import Messages
import Telemetry

/// A partition that stands still because the log no longer has its position, and has not been set to the oldest message yet.
struct Gap: Sendable {
  let failures: Int
  let nextTry: Date
}

/// What the group told, until it is done.
enum MembershipChange: Sendable {
  case start([TopicPartition])
  case revoke([TopicPartition])
  case lose([TopicPartition])
  case gap(TopicPartition, String)
}

/// Partitions come and go.
///
/// Much of it waits for the broker, up to a minute when one is away. The loop goes on meanwhile: a member that does not poll is expelled.
/// So changes are done by a task of their own, one at a time, in the order in which they came.
extension Worker {
  private static let mostGapFailures = 10

  func received(_ event: SourceEvent) {
    if event.movesPartitions { metrics.add(WorkerMetrics.rebalances, 1, stage.name.rawValue) }
    switch event {
    case .assigned(let partitions):
      hasJoined = true
      if !partitions.isEmpty { changes.append(.start(partitions)) }
    case .revoked(let partitions): changes.append(.revoke(partitions))
    case .lost(let partitions):
      // What is being started is lost too: no need to wait for its offsets.
      if isStarting { changeTask?.cancel() }
      changes.append(.lose(partitions))
    case .gap(let partition, let reason): changes.append(.gap(partition, reason))
    case .error(let reason, isFatal: true):
      logger.error("The consumer cannot go on", ["error": .string(reason)])
      failure = .fatal(reason)
    case .error(let reason, isFatal: false):
      metrics.add(WorkerMetrics.sourceErrors, 1, stage.name.rawValue)
      logger.warning("Kafka reports an error", ["error": .string(reason)])
    }
  }

  /// Begins the changes that wait, up to the first that takes time.
  func nextChange() {
    while changeTask == nil, failure == nil, !changes.isEmpty {
      switch changes.removeFirst() {
      case .start(let partitions): assign(partitions)
      case .revoke(let partitions): revoke(partitions)
      case .lose(let partitions): lose(partitions)
      case .gap(let partition, let reason): skipGap(partition, reason)
      }
    }
  }

  private func change(_ work: @escaping @Sendable () async -> Void) {
    changeTask = Task {
      await work()
      changeTask = nil
      signal.yield()
    }
  }

  private func assign(_ partitions: [TopicPartition]) {
    logger.info("Partitions assigned", ["partitions": .string(partitions.map(\.description).sorted().joined(separator: ","))])
    window.assign(partitions)
    isStarting = true
    change { await self.startReading(partitions) }
  }

  private func startReading(_ partitions: [TopicPartition]) async {
    defer { isStarting = false }
    let lookback = stage.skipsRepetitions ? configuration.lookback : 0
    do {
      let committed = try await source.start(partitions, lookback: lookback)
      for partition in partitions { window.begin(partition, at: committed[partition] ?? 0) }
    } catch {
      if !Task.isCancelled { failure = .fatal("The assigned partitions cannot be read: \(error)") }
    }
    if shutdownDeadline != nil { window.revokeAll() }
  }

  private func revoke(_ partitions: [TopicPartition]) {
    logger.info("Partitions revoked", ["partitions": .string(partitions.map(\.description).sorted().joined(separator: ","))])
    window.revoke(partitions)
    let deadline = now().addingTimeInterval(configuration.revokeGrace.seconds)
    for partition in partitions { leaving[partition] = deadline }
    letGo()
  }

  private func lose(_ partitions: [TopicPartition]) {
    logger.warning("Partitions lost", ["partitions": .string(partitions.map(\.description).sorted().joined(separator: ","))])
    drop(partitions)
    change { await self.source.release(partitions) }
  }

  /// Gives revoked partitions up when their work is done or their grace is over.
  ///
  /// All of one revocation leave together, because the group goes on only when the last one was released.
  func letGo() {
    guard !leaving.isEmpty, changeTask == nil else { return }
    let busy = leaving.keys.filter { window.isBusy($0) }
    let deadline = leaving.values.max() ?? .distantPast
    // A batch on its way is waited for: its offsets must not be committed when the next owner has begun.
    guard busy.isEmpty || now() >= deadline && !isDelivering(leaving.keys) else { return }
    if !busy.isEmpty { logger.notice("Work on revoked partitions is cut short", ["partitions": .int(busy.count)]) }
    let partitions = Array(leaving.keys)
    // Before anything is waited for: a delivery that is being tried again must not publish their work while they leave.
    drop(partitions)
    change {
      await self.settle()
      await self.source.release(partitions)
    }
  }

  private func drop(_ partitions: [TopicPartition]) {
    for id in window.drop(partitions) { tasks[id]?.cancel() }
    for partition in partitions {
      leaving[partition] = nil
      gaps[partition] = nil
    }
  }

  private func skipGap(_ partition: TopicPartition, _ reason: String) {
    metrics.add(WorkerMetrics.gaps, 1, stage.name.rawValue)
    logger.error(
      "Messages were deleted before they were read; going on at the oldest one", ["partition": "\(partition)", "error": .string(reason)])
    window.gap(partition)
    change { await self.startAtOldest(partition, failures: 0) }
  }

  /// Tries again to leave gaps that could not be left before.
  func leaveGaps() {
    guard changeTask == nil, let (partition, gap) = gaps.first(where: { $1.nextTry <= now() && leaving[$0] == nil }) else { return }
    change { await self.startAtOldest(partition, failures: gap.failures) }
  }

  // A broker may be away, or a rebalance under way, just then: that is no reason to end the process.
  private func startAtOldest(_ partition: TopicPartition, failures: Int) async {
    do {
      try await source.startAtOldest(partition)
      gaps[partition] = nil
    } catch {
      guard !Task.isCancelled else { return }
      gaps[partition] = Gap(failures: failures + 1, nextTry: now().addingTimeInterval(1))
      logger.warning(
        "The oldest message cannot be found yet",
        ["partition": "\(partition)", "retry.attempt": .int(failures + 1), "error": "\(error)"])
      if failures + 1 >= Self.mostGapFailures { failure = .fatal("\(partition) cannot be read from its beginning: \(error)") }
    }
  }
}
