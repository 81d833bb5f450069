public import Kafka
public import Pipeline

/// Publishes with an idempotent producer, then commits: after a crash the last messages are handled, and their outputs published, again.
public struct AtLeastOnceDelivery: Delivery {
  private let producer: Producer
  private let member: KafkaMember
  private let prefix: String

  public init(producer: Producer, member: KafkaMember, prefix: String) {
    self.producer = producer
    self.member = member
    self.prefix = prefix
  }

  public func deliver(_ batch: DeliveryBatch) async throws(DeliveryFailure) {
    do throws(ProduceError) { try await producer.send(batch.outputs.map { ProducerRecord($0, prefix: prefix) }) } catch {
      throw DeliveryFailure(error)
    }
    do { try member.consumer.store(Dictionary(uniqueKeysWithValues: batch.offsets.map { ($0.key.kafka, $0.value) })) } catch {
      throw .retriable("\(error)")
    }
  }

  public func settle() async throws(DeliveryFailure) {
    do { try await member.consumer.commitStored() } catch { throw .retriable("\(error)") }
  }

  public func close() async { await producer.close() }
}

extension DeliveryFailure {
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
