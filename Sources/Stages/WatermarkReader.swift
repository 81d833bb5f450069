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
  private let isAway = Atomic(false)

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
      let reading = try await readTwice(list)
      answered()
      return reading
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

  /// A connection that was idle may be found broken, which says nothing about the store.
  func readTwice(_ list: String) async throws(QuotaStoreError) -> WatermarkReading {
    do throws(QuotaStoreError) { return try await store.read(list) } catch {
      guard error.isRetriable, !Task.isCancelled else { throw error }
      return try await store.read(list)
    }
  }

  func stopWaiting() { waits.stop() }

  private func readUntilAnswered(_ list: String) async throws(QuotaStoreError) -> WatermarkReading {
    var failures = 0
    while true {
      // Those who wait for the same store must not all ask at once.
      let pause = min(.milliseconds(500 << failures), Self.longestPause) * Double.random(in: 0.5...1)
      do { try await clock.sleep(for: pause) } catch { throw .closed }
      do throws(QuotaStoreError) {
        let reading = try await store.read(list)
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

  private func notice(_ error: QuotaStoreError) {
    guard !isAway.exchange(true, ordering: .sequentiallyConsistent) else { return }
    logger.warning("Waiting for the store of the watermarks", ["error": .string(error.message)])
  }

  private func answered() {
    guard isAway.exchange(false, ordering: .sequentiallyConsistent) else { return }
    logger.info("The store of the watermarks answers again")
  }
}
