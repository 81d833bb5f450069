public import Kafka
public import Pipeline
public import Telemetry

/// Publishes outputs and offsets in one transaction, with the group's metadata, so that a worker that was replaced is fenced.
public struct ExactlyOnceDelivery: Delivery {
  private let producer: TransactionalProducer
  private let member: KafkaMember
  private let prefix: String
  private let logger: Logger
  private let grace: Duration
  private let ended: @Sendable (Ending) -> Void

  /// How a transaction ended.
  public enum Ending: String, Sendable, CaseIterable { case committed, aborted }

  /// - Parameters:
  ///   - grace: what a cancelled delivery has to end its transaction; then it leaves it to the broker's timeout or to the id's next owner.
  ///   - ended: told of every transaction.
  public init(
    producer: TransactionalProducer, member: KafkaMember, prefix: String, logger: Logger, grace: Duration = .seconds(1),
    ended: @escaping @Sendable (Ending) -> Void = { _ in }
  ) {
    self.ended = ended
    self.producer = producer
    self.member = member
    self.prefix = prefix
    self.logger = logger
    self.grace = grace
  }

  /// Takes the transactional id: ends an open transaction of a predecessor with the same id. After a timeout, the next call goes on.
  public func prepare(timeout: Duration) async throws { try await producer.initialise(timeout: timeout) }

  public func deliver(_ batch: DeliveryBatch) async throws(DeliveryFailure) {
    let outcome = await withCancellationGrace(grace) {
      do throws(DeliveryFailure) {
        try await transact(batch)
        return Result<Void, DeliveryFailure>.success(())
      } catch { return .failure(error) }
    }
    try outcome.get()
  }

  private func transact(_ batch: DeliveryBatch) async throws(DeliveryFailure) {
    let group: ConsumerGroupMetadata
    // Of the membership that the batch belongs to. Taken later, it could be that of the next one, after a rebalance that gave the
    // partitions away: the broker would then have no reason to refuse their offsets.
    do { group = try member.consumer.groupMetadata() } catch { throw failure(error) }
    do {
      try await fill(batch, of: group)
      try await commit()
      ended(.committed)
    } catch {
      let trouble = failure(error)
      if case .fatal = trouble { throw trouble }
      ended(.aborted)
      try await abort()
      throw trouble
    }
  }

  private func fill(_ batch: DeliveryBatch, of group: ConsumerGroupMetadata) async throws {
    let clock = ContinuousClock()
    let began = clock.now
    // While a third of the time is left, the transaction can still be aborted; later the broker ends it and fences this producer.
    let limit = producer.transactionTimeout / 3 * 2
    try await producer.begin()
    try await producer.send(batch.records(prefix: prefix))
    try await producer.sendOffsets(batch.kafkaOffsets, of: group, timeout: max(.milliseconds(1), limit - (clock.now - began)))
    if clock.now - began >= limit { throw DeliveryFailure.retriable("the transaction took longer than \(limit)") }
  }

  // A commit that timed out goes on inside the library, which refuses every other call until it was asked for again.
  private func commit() async throws {
    while true {
      do { return try await producer.commit(timeout: .seconds(5)) } catch let error as KafkaError
        where error.isRetriable && !error.isFatal && !error.isAbortable && !Task.isCancelled
      {
        logger.warning("Transaction not committed yet", ["error": .string(error.description)])
      }
    }
  }

  // What is not aborted in this time is asked for again after the next `begin`, which fails until then.
  private func abort() async throws(DeliveryFailure) {
    do { try await producer.abort(timeout: .seconds(30)) } catch {
      let trouble = failure(error)
      if case .fatal = trouble { throw trouble }
      logger.warning("Transaction not aborted", ["error": "\(error)"])
    }
  }

  private func failure(_ error: any Error) -> DeliveryFailure {
    switch error {
    case let error as DeliveryFailure: error
    case let error as ProduceError:
      error.failures.first { $0.error.isFatal }.map { failure($0.error) } ?? DeliveryFailure(error)
    case let error as KafkaError where error.isFenced && error.isFatal:
      .fatal(
        "Another process has taken over the transactional id \(producer.transactionalID), as one with the same WORKER_ID does, or the "
          + "broker has ended a transaction that took longer than \(producer.transactionTimeout) (\(error))")
    case let error as KafkaError where error.isFatal: .fatal(error.description)
    case let error as KafkaError where error.isStaleMember: .stale(error.description)
    default: .retriable("\(error)")
    }
  }

  /// Every delivery commits its own offsets.
  public func settle() async throws(DeliveryFailure) {}

  /// Nothing is on its way when no delivery is.
  public func close() async { await producer.close(flushTimeout: .milliseconds(1)) }
}
