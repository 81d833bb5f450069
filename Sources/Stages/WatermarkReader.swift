import Quota
import Synchronization
import Telemetry

/// Reads watermarks, and waits for a store that is away as calls wait for units: nothing is spent meanwhile, and no message loses an attempt.
final class WatermarkReader: Sendable {
  private static let longestPause = Duration.seconds(30)

  private let store: any WatermarkStore
  private let clock: any Clock<Duration>
  private let logger: Logger
  private let waits = StoppableWaits()
  // Not waits of listings: reads, as long as the store answers in time.
  private let others = StoppableWaits()
  private let isAway = Atomic(false)
  private let hasMissed = Atomic(false)

  init(store: any WatermarkStore, clock: any Clock<Duration>, logger: Logger) {
    self.store = store
    self.clock = clock
    self.logger = logger
  }

  /// Listings that wait for the store.
  var waiting: Int { waits.count }

  /// Waits however long; `closed` when the task is cancelled, or the waits are stopped.
  func readWaiting(_ list: String) async throws(QuotaStoreError) -> WatermarkReading {
    do throws(QuotaStoreError) {
      return try await readOnce(list)
    } catch {
      guard error.isRetriable else { throw error }
      notice(error)
    }
    let result = await waits.run { [self] () async -> Result<WatermarkReading, QuotaStoreError> in
      do throws(QuotaStoreError) { return .success(try await readUntilAnswered(list)) } catch { return .failure(error) }
    }
    guard let result else { throw .closed }
    return try result.get()
  }

  /// Waits no longer than the store's own time limits.
  func readOnce(_ list: String) async throws(QuotaStoreError) -> WatermarkReading {
    let result = await others.run { [self] () async -> Result<WatermarkReading, QuotaStoreError> in
      do throws(QuotaStoreError) {
        return .success(
          try await unlessCancelled { [store] () throws(QuotaStoreError) in
            try await Self.twice { () throws(QuotaStoreError) in try await store.read(list) }
          })
      } catch { return .failure(error) }
    }
    guard let result else { throw .closed }
    let reading = try result.get()
    answered()
    return reading
  }

  /// A connection that was idle may be found broken, at once, which says nothing about the store.
  static func twice<Value>(
    evenAfterTimeout: Bool = false, _ ask: () async throws(QuotaStoreError) -> Value
  ) async throws(QuotaStoreError) -> Value {
    do throws(QuotaStoreError) { return try await ask() } catch {
      guard error.isRetriable, !Task.isCancelled, evenAfterTimeout || !error.isTimeout else { throw error }
      return try await ask()
    }
  }

  /// Does something that is no wait of a listing, until the waits are stopped.
  func untilStopped(_ body: @escaping @Sendable () async -> Void) async { _ = await others.run(body) }

  func stopWaiting() {
    waits.stop()
    others.stop()
  }

  /// A shutdown has begun, and the last that was told did not arrive: what else there is to tell would cost it the time limits again.
  var isHopeless: Bool { waits.isStopped && hasMissed.load(ordering: .sequentiallyConsistent) }

  func told(_ error: QuotaStoreError?) { hasMissed.store(error?.isRetriable == true, ordering: .sequentiallyConsistent) }

  private func readUntilAnswered(_ list: String) async throws(QuotaStoreError) -> WatermarkReading {
    var failures = 0
    while true {
      // Those who wait for the same store must not all ask at once.
      let pause = min(.milliseconds(500 << failures), Self.longestPause) * Double.random(in: 0.5...1)
      do { try await clock.sleep(for: pause) } catch { throw .closed }
      do throws(QuotaStoreError) {
        let reading = try await unlessCancelled { [store] () throws(QuotaStoreError) in try await store.read(list) }
        answered()
        return reading
      } catch {
        guard !Task.isCancelled else { throw .closed }
        guard error.isRetriable else { throw error }
        notice(error)
        failures = min(failures + 1, 10)
      }
    }
  }

  /// A store that hangs answers, if at all, when its own time limit has passed. A request that is cancelled ends at once; what was asked for
  /// it is forgotten.
  private func unlessCancelled(
    _ ask: @escaping @Sendable () async throws(QuotaStoreError) -> WatermarkReading
  ) async throws(QuotaStoreError) -> WatermarkReading {
    let (answers, answer) = AsyncStream.makeStream(of: Result<WatermarkReading, QuotaStoreError>.self)
    let asking = Task {
      do throws(QuotaStoreError) { answer.yield(.success(try await ask())) } catch { answer.yield(.failure(error)) }
    }
    defer { asking.cancel() }
    // A stream ends when the task that reads it is cancelled.
    for await outcome in answers { return try outcome.get() }
    throw .closed
  }

  private func notice(_ error: QuotaStoreError) {
    guard !isAway.exchange(true, ordering: .sequentiallyConsistent) else { return }
    logger.warning("Waiting for the store of the watermarks", ["error": .string(error.message)])
  }

  private func answered() {
    guard isAway.exchange(false, ordering: .sequentiallyConsistent) else { return }
    logger.info("The store of the watermarks answers again")
  }
}
