public import Kafka
public import Pipeline
public import Telemetry

/// Publishes with an idempotent producer, then commits: after a crash the last messages are handled, and their outputs published, again.
public struct AtLeastOnceDelivery: Delivery {
  private let producer: Producer
  private let member: KafkaMember
  private let prefix: String
  private let logger: Logger

  public init(producer: Producer, member: KafkaMember, prefix: String, logger: Logger) {
    self.producer = producer
    self.member = member
    self.prefix = prefix
    self.logger = logger
  }

  public func deliver(_ batch: DeliveryBatch) async throws(DeliveryFailure) {
    let records = batch.records(prefix: prefix)
    // Known before anything is sent: what is out cannot be taken back, and would stand beside what is published instead.
    if let index = producer.firstTooLarge(records) { throw .tooLarge(output: index, "it is larger than message.max.bytes") }
    // A broker that is away keeps records on their way for minutes.
    let outcome = await withCancellationGrace(.seconds(1)) { await send(records) }
    if case .failure(let error) = outcome { throw DeliveryFailure(error, of: records.count) }
    store(batch.kafkaOffsets)
  }

  // The outputs are published: to deliver again because of the offsets would double them. What is not stored comes again after a restart.
  private func store(_ offsets: [TopicPartition: Int64]) {
    do { try member.consumer.store(offsets) } catch {
      logger.warning("Offsets were not stored; their messages may come again", ["error": "\(error)"])
    }
  }

  private func send(_ records: [ProducerRecord]) async -> Result<Void, ProduceError> {
    do throws(ProduceError) { return .success(try await producer.send(records, purgingWhenCancelled: true)) } catch {
      return .failure(error)
    }
  }

  public func settle() async throws(DeliveryFailure) {
    do { try await member.consumer.commitStored() } catch { throw .retriable("\(error)") }
  }

  /// Nothing is on its way when no delivery is.
  public func close() async { await producer.close(flushTimeout: .milliseconds(1)) }
}

extension DeliveryFailure {
  /// Without a transaction, what was acknowledged is published, and would be doubled if it were sent again.
  fileprivate init(_ error: ProduceError, of count: Int) {
    let failed = Set(error.failures.map(\.index))
    let published = (0..<count).filter { !failed.contains($0) }
    self = published.isEmpty ? DeliveryFailure(error) : .partial(published: published, DeliveryFailure(error))
  }

  init(_ error: ProduceError) {
    if let tooLarge = error.failures.first(where: { $0.error.isTooLarge }) {
      self = .tooLarge(output: tooLarge.index, tooLarge.error.message)
    } else if let fatal = error.failures.first(where: { $0.error.isFatal }) {
      self = .fatal(fatal.error.description)
    } else {
      self = .retriable(error.description)
    }
  }
}
