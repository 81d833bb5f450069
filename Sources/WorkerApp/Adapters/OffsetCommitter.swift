import Kafka
import Telemetry

/// Commits positions whose outputs are published, at most once an interval, and at once when it is told to.
///
/// Only partitions that are owned are committed: what comes late for one that belongs to others would set them back, and to try it
/// again and again would keep the group from settling.
actor OffsetCommitter {
  private let interval: Duration
  private let logger: Logger
  private let commit: @Sendable ([TopicPartition: Int64]) async throws -> Void
  private var owned: Set<TopicPartition> = []
  private var pending: [TopicPartition: Int64] = [:]
  private var timer: Task<Void, Never>?
  private var running: Task<Void, any Error>?
  private var failures = 0

  init(interval: Duration, logger: Logger, commit: @escaping @Sendable ([TopicPartition: Int64]) async throws -> Void) {
    self.interval = interval
    self.logger = logger
    self.commit = commit
  }

  func own(_ partitions: [TopicPartition]) { owned.formUnion(partitions) }

  /// Partitions that belong to others from now on.
  func forget(_ partitions: [TopicPartition]) {
    owned.subtract(partitions)
    for partition in partitions { pending[partition] = nil }
  }

  func note(_ offsets: [TopicPartition: Int64]) {
    pending.merge(offsets.filter { owned.contains($0.key) }) { _, newer in newer }
    schedule()
  }

  private func schedule() {
    guard timer == nil, !pending.isEmpty else { return }
    // Commits fail while a group rebalances, and asking often makes some coordinators begin anew.
    let pause = failures == 0 ? interval : max(interval, min(.milliseconds(250 << min(failures, 4)), .seconds(2)))
    timer = Task {
      guard (try? await Task.sleep(for: pause)) != nil else { return }
      await self.timerFired()
    }
  }

  private func timerFired() async {
    timer = nil
    do { try await commitNow() } catch {
      // The positions are kept; a later commit includes them.
      logger.debug("Offsets not committed yet", ["error": "\(error)"])
      schedule()
    }
  }

  /// Commits what is pending, or throws and keeps it.
  ///
  /// One commit at a time: two could arrive in the wrong order, and whoever lets partitions go must not pass one that is under way.
  func commitNow() async throws {
    while let running { try await running.value }
    guard !pending.isEmpty else { return }
    let task = Task { try await commitPending() }
    running = task
    try await task.value
  }

  // Ends `running` itself: those who wait for it look at that again, and must not find it when it is over.
  private func commitPending() async throws {
    defer { running = nil }
    let offsets = pending
    pending = [:]
    do {
      try await commit(offsets)
      failures = 0
    } catch {
      failures += 1
      pending.merge(offsets.filter { owned.contains($0.key) }) { newer, _ in newer }
      throw error
    }
  }

  func stop() {
    timer?.cancel()
    timer = nil
  }
}
