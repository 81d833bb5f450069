import Kafka
import Telemetry

/// Commits positions whose outputs are published, at most once an interval, and at once when it is told to.
actor OffsetCommitter {
  private let interval: Duration
  private let logger: Logger
  private let commit: @Sendable ([TopicPartition: Int64]) async throws -> Void
  private var pending: [TopicPartition: Int64] = [:]
  private var timer: Task<Void, Never>?
  /// How often each partition was given up.
  private var farewells: [TopicPartition: Int] = [:]
  private var failures = 0

  init(interval: Duration, logger: Logger, commit: @escaping @Sendable ([TopicPartition: Int64]) async throws -> Void) {
    self.interval = interval
    self.logger = logger
    self.commit = commit
  }

  func note(_ offsets: [TopicPartition: Int64]) {
    pending.merge(offsets) { _, newer in newer }
    guard timer == nil else { return }
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
      // Commits fail while the group rebalances. The positions are kept; a later one includes them.
      logger.debug("Offsets not committed yet", ["error": "\(error)"])
      note([:])
    }
  }

  /// Commits what is pending, or throws and keeps it.
  func commitNow() async throws {
    guard !pending.isEmpty else { return }
    let offsets = pending
    let before = farewells
    pending = [:]
    do {
      try await commit(offsets)
      failures = 0
    } catch {
      failures += 1
      // What was given up meanwhile belongs to others: to commit it again and again would keep the group from settling.
      pending.merge(offsets.filter { farewells[$0.key] == before[$0.key] }) { newer, _ in newer }
      throw error
    }
  }

  /// Partitions that belong to others: a late commit would set them back.
  func forget(_ partitions: [TopicPartition]) {
    for partition in partitions {
      pending[partition] = nil
      farewells[partition, default: 0] += 1
    }
  }

  func stop() {
    timer?.cancel()
    timer = nil
  }
}
