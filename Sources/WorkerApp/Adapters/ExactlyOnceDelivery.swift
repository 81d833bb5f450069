public import Kafka
public import Pipeline
public import Telemetry

/// Publishes outputs and offsets in one transaction, with the group's metadata, so that a worker that was replaced is fenced.
public struct ExactlyOnceDelivery: Delivery {
  private let producer: TransactionalProducer
  private let member: KafkaMember
  private let prefix: String
  private let logger: Logger

  public init(producer: TransactionalProducer, member: KafkaMember, prefix: String, logger: Logger) {
    self.producer = producer
    self.member = member
    self.prefix = prefix
    self.logger = logger
  }

  /// Takes the transactional id: ends an open transaction of a predecessor with the same id.
  public func prepare() async throws { try await producer.initialise() }

  public func deliver(_ batch: DeliveryBatch) async throws(DeliveryFailure) {
    let trouble: DeliveryFailure
    do {
      try await producer.begin()
      try await producer.send(batch.records(prefix: prefix))
      try await producer.sendOffsets(batch.kafkaOffsets, of: member.consumer)
      try await commit()
      return
    } catch let error as ProduceError { trouble = DeliveryFailure(error) } catch let error as KafkaError {
      trouble = error.isFatal ? .fatal(error.description) : .retriable(error.description)
    } catch { trouble = .retriable("\(error)") }
    if case .fatal = trouble { throw trouble }
    try await abort()
    throw trouble
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

  private func abort() async throws(DeliveryFailure) {
    do { try await producer.abort() } catch let error as KafkaError where error.isFatal {
      throw .fatal(error.description)
    } catch {
      // The broker ends the transaction by its timeout; the next `begin` tells whether this producer may go on.
      logger.warning("Transaction not aborted", ["error": "\(error)"])
    }
  }

  /// Every delivery commits its own offsets.
  public func settle() async throws(DeliveryFailure) {}

  public func close() async { await producer.close() }
}
