public import Telemetry

/// A producer whose records and offsets become visible together or not at all.
///
/// Call order: `initialise` once, then `begin`, `send` and `sendOffsets`, and `commit` or `abort`, one transaction at a time. Errors are
/// fatal (replace the producer), abortable (`abort`, then begin again) or neither; retriable ones are retried inside until the timeout.
/// Cancelling ends a call at once: `send` with `_PURGE_…`, the others with `_INTR`; what they asked for may still happen.
public final class TransactionalProducer: Sendable {
  public let transactionalID: String
  /// After this time the broker aborts a transaction that was not ended, and fences its producer.
  public let transactionTimeout: Duration
  private let handle: ProducerHandle

  /// A running producer of the same id is fenced by `initialise`.
  public init(configuration: KafkaConfiguration, transactionalID: String, clientID: String, logger: Logger) throws {
    self.transactionalID = transactionalID
    handle = try ProducerHandle(
      role: .transactionalProducer(transactionalID: transactionalID), configuration: configuration, clientID: clientID, logger: logger)
    transactionTimeout = try handle.transactionTimeout()
  }

  public func initialise(timeout: Duration = .seconds(30)) async throws {
    try await retrying(for: timeout, step: Self.step) { [handle] in try await handle.initTransactions(timeout: $0) }
  }

  public func begin() async throws { try await handle.beginTransaction() }

  /// As with `Producer.send`; after a failure the transaction can only be aborted.
  public func send(_ records: [ProducerRecord]) async throws(ProduceError) {
    guard !records.isEmpty else { return }
    if let error = ProduceError(await handle.send(records, purgingWhenCancelled: true)) { throw error }
  }

  /// Makes the offsets (next to read) part of the transaction. The broker refuses them if the group has a newer generation than the
  /// metadata: take that before `send`, under the assignment that the offsets belong to.
  public func sendOffsets(
    _ offsets: [TopicPartition: Int64], of group: ConsumerGroupMetadata, timeout: Duration = .seconds(10)
  ) async throws {
    guard !offsets.isEmpty else { return }
    try await retrying(for: timeout) { [handle] in try await handle.sendOffsets(offsets, of: group.native, timeout: $0) }
  }

  /// After a timeout the library goes on: only `commit` again tells the outcome.
  public func commit(timeout: Duration = .seconds(30)) async throws {
    try await retrying(for: timeout, step: Self.step) { [handle] in try await handle.commitTransaction(timeout: $0) }
  }

  /// After a timeout the library goes on: `abort` again, before anything else.
  public func abort(timeout: Duration = .seconds(30)) async throws {
    try await retrying(for: timeout, step: Self.step) { [handle] in try await handle.abortTransaction(timeout: $0) }
  }

  /// Waits that long for what is on its way and frees everything, at most a second later; an open transaction is aborted by the broker.
  public func close(flushTimeout: Duration = .seconds(5)) async { await handle.close(flushTimeout: flushTimeout.milliseconds) }

  /// Calls that the library resumes are made in steps, so that one whose caller has left does not keep the client for long.
  private static let step = Duration.seconds(1)
}
