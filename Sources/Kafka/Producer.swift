public import Telemetry

/// An idempotent producer: each record is stored once and in the order sent.
///
/// Closing is explicit: `close()`.
public final class Producer: Sendable {
  private let handle: ProducerHandle

  public init(configuration: KafkaConfiguration, clientID: String, logger: Logger) throws {
    handle = try ProducerHandle(role: .producer, configuration: configuration, clientID: clientID, logger: logger)
  }

  /// Returns when the broker has acknowledged every record; waits while the client's queue is full.
  ///
  /// A record that fails does not stop the others. Cancelling stops what is not yet in the queue; the rest is still waited for, at most
  /// `delivery.timeout.ms`. With `purgingWhenCancelled` all that is on its way, of any `send`, then fails with `_PURGE_…`, though it may
  /// have arrived: for a producer that is to be closed.
  public func send(_ records: [ProducerRecord], purgingWhenCancelled: Bool = false) async throws(ProduceError) {
    guard !records.isEmpty else { return }
    if let error = ProduceError(await handle.send(records, purgingWhenCancelled: purgingWhenCancelled)) { throw error }
  }

  /// The first record that the client would refuse for its size, `message.max.bytes`, or that comes within a hundred bytes of it.
  public func firstTooLarge(_ records: [ProducerRecord]) -> Int? {
    records.firstIndex { record in
      let headers = record.headers.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) + 10 }
      return (record.key?.count ?? 0) + (record.value?.count ?? 0) + headers + 100 > handle.largestRecord
    }
  }

  /// Returns when nothing is on its way any more; throws `_TIMED_OUT`.
  public func flush(timeout: Duration) async throws { try await handle.flush(timeout: timeout.milliseconds) }

  /// Waits that long for what is on its way, fails the rest with `_PURGE_…`, and frees everything; returns at most a second later.
  public func close(flushTimeout: Duration = .seconds(5)) async { await handle.close(flushTimeout: flushTimeout.milliseconds) }
}
