public import Telemetry

/// A producer whose records and offsets become visible together or not at all.
///
/// Call order: `initialise` once, then `begin`, `send` and `sendOffsets`, and `commit` or `abort`, one transaction at a time. Errors are
/// fatal (replace the producer), abortable (`abort`, then begin again) or neither; retriable ones are retried inside until the timeout.
public final class TransactionalProducer: Sendable {
  private let handle: ProducerHandle

  /// A running producer of the same id is fenced by `initialise`.
  public init(configuration: KafkaConfiguration, transactionalID: String, clientID: String, logger: Logger) throws {
    handle = try ProducerHandle(
      role: .transactionalProducer(transactionalID: transactionalID), configuration: configuration, clientID: clientID, logger: logger)
  }

  public func initialise(timeout: Duration = .seconds(30)) async throws {
    try await retrying(for: timeout) { [handle] in try await handle.initTransactions(timeout: $0) }
  }

  public func begin() async throws { try await handle.beginTransaction() }

  /// As with `Producer.send`; after a failure the transaction can only be aborted.
  public func send(_ records: [ProducerRecord]) async throws(ProduceError) {
    guard !records.isEmpty else { return }
    if let error = ProduceError(await handle.send(records)) { throw error }
  }

  /// Makes the offsets (next to read) part of the transaction, fenced by the consumer's generation.
  public func sendOffsets(_ offsets: [TopicPartition: Int64], of consumer: Consumer, timeout: Duration = .seconds(10)) async throws {
    guard !offsets.isEmpty else { return }
    let group = try consumer.handle.groupMetadata()
    try await retrying(for: timeout) { [handle] in try await handle.sendOffsets(offsets, of: group, timeout: $0) }
  }

  public func commit(timeout: Duration = .seconds(30)) async throws {
    try await retrying(for: timeout) { [handle] in try await handle.commitTransaction(timeout: $0) }
  }

  public func abort(timeout: Duration = .seconds(30)) async throws {
    try await retrying(for: timeout) { [handle] in try await handle.abortTransaction(timeout: $0) }
  }

  /// Waits that long for what is on its way and frees everything; an open transaction is aborted by the broker.
  public func close(flushTimeout: Duration = .seconds(5)) async { await handle.close(flushTimeout: flushTimeout.milliseconds) }
}
