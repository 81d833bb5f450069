import CLibrdkafka
import Dispatch
import Synchronization
import Telemetry

/// Hands the delivery reports of a producer to their batches, on a queue of its own, whenever the library says that there are some.
final class DeliveryReports: Sendable {
  let progress = DeliveryProgress()
  private let queue = Mutex<QueueHandle?>(nil)
  private let thread: DispatchQueue
  private let isScheduled = Atomic(false)
  private let client = Mutex<WeakClient?>(nil)
  private let logger: Logger

  private struct WeakClient: Sendable { weak let client: ClientHandle? }

  init(clientID: String, logger: Logger) {
    thread = DispatchQueue(label: "kafka.deliveries.\(clientID)")
    self.logger = logger
  }

  func attach(_ queue: QueueHandle?, of client: ClientHandle) {
    self.queue.withLock { $0 = queue }
    self.client.withLock { $0 = WeakClient(client: client) }
  }

  /// Called by threads of the library; many calls cost one pass.
  func signal() {
    if !isScheduled.exchange(true, ordering: .acquiringAndReleasing) { thread.async { self.drain() } }
  }

  /// Releases the queue; reports still in it must have been drained.
  func detach() {
    thread.sync {
      drain()
      queue.withLock { $0 = nil }
    }
    progress.advance()
  }

  private func drain() {
    isScheduled.store(false, ordering: .sequentiallyConsistent)
    guard let queue = queue.withLock({ $0 }) else { return }
    var hasProgress = false
    while queue.withNextEvent({ hasProgress = read($0) || hasProgress }) {}
    // Only now have the messages left the library's count.
    if hasProgress { progress.advance() }
  }

  private func read(_ event: OpaquePointer) -> Bool {
    switch rd_kafka_event_type(event) {
    case RD_KAFKA_EVENT_DR:
      settle(event)
      return true
    case RD_KAFKA_EVENT_ERROR:
      let code = rd_kafka_event_error(event)
      let error = KafkaError(code, rd_kafka_event_error_string(event).map { String(cString: $0) })
      logger.log(error.isFatal ? .error : error.isConnectionTrouble ? .debug : .warning, "Kafka producer error") {
        ["error.name": .string(error.name), "error.message": .string(error.message)]
      }
      return false
    default: return false
    }
  }

  // Messages of one send mostly come together: one lock for each run of them.
  private func settle(_ event: OpaquePointer) {
    var run: (batch: Unmanaged<DeliveryBatch>, count: Int, failures: [ProduceError.Failure])?
    while let message = rd_kafka_event_message_next(event) {
      guard let opaque = message.pointee._private else { continue }
      let (batch, index) = DeliveryBatch.resolve(opaque)
      if let current = run, current.batch.toOpaque() != batch.toOpaque() {
        current.batch.takeUnretainedValue().settle(current.count, failures: current.failures)
        run = nil
      }
      if run == nil { run = (batch, 0, []) }
      run?.count += 1
      if message.pointee.err != RD_KAFKA_RESP_ERR_NO_ERROR {
        let isUncertain = rd_kafka_message_status(message) == RD_KAFKA_MSG_STATUS_POSSIBLY_PERSISTED
        run?.failures.append(.init(index: index, error: failure(message.pointee.err), isUncertain: isUncertain))
      }
    }
    if let run { run.batch.takeUnretainedValue().settle(run.count, failures: run.failures) }
  }

  private func failure(_ code: rd_kafka_resp_err_t) -> KafkaError {
    guard code == RD_KAFKA_RESP_ERR__FATAL, let client = client.withLock({ $0?.client }) else { return KafkaError(code) }
    return (try? client.withPointer { KafkaError.resolvingFatal(code, of: $0) }) ?? KafkaError(code)
  }
}
