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

  /// Takes the transactional id: ends an open transaction of a predecessor with the same id. After a timeout, the next call goes on.
  public func prepare(timeout: Duration) async throws { try await producer.initialise(timeout: timeout) }

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

  // In steps, since the end of a shutdown's grace must not wait for a broker that is away.
  private func abort() async throws(DeliveryFailure) {
    for step in 1...6 {
      do { return try await producer.abort(timeout: .seconds(5)) } catch let error as KafkaError where error.isFatal {
        throw .fatal(error.description)
      } catch {
        if step < 6, !Task.isCancelled, (error as? KafkaError)?.isRetriable == true { continue }
        // The broker ends the transaction by its timeout; the next `begin` tells whether this producer may go on.
        logger.warning("Transaction not aborted", ["error": "\(error)"])
        return
      }
    }
  }

  /// Every delivery commits its own offsets.
  public func settle() async throws(DeliveryFailure) {}

  public func close() async { await producer.close() }
}
