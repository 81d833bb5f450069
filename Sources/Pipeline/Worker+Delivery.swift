import FoundationEssentials
import Messages
import Telemetry

/// A batch on its way, kept so that it can be delivered again.
struct PendingDelivery: Sendable {
  var batch: FinishedBatch
  var failures = 0
}

/// Outputs and offsets leave, one batch at a time.
extension Worker {
  private static let largestBatch = 64

  var nextDelivery: Date? {
    guard deliveryTask == nil, window.hasFinished else { return nil }
    return lastDelivery.addingTimeInterval(configuration.deliveryInterval.seconds)
  }

  func deliverFinished() {
    guard deliveryTask == nil, failure == nil else { return }
    if pending == nil {
      guard window.hasFinished else { return }
      let isLeaving = shutdownDeadline != nil || !leaving.isEmpty
      guard isLeaving || (nextDelivery ?? .distantPast) <= now() else { return }
      pending = PendingDelivery(batch: window.takeFinished(upTo: Self.largestBatch))
    }
    lastDelivery = now()
    deliveryTask = Task { await self.deliverPending() }
  }

  private func deliverPending() async {
    while var pending, failure == nil {
      let batch = window.current(pending.batch)
      pending.batch = batch
      self.pending = pending
      if batch.isEmpty { break }
      let message = DeliveryBatch(outputs: batch.handled.flatMap(\.outputs), offsets: batch.positions.mapValues(\.offset))
      do throws(DeliveryFailure) {
        try await delivery.deliver(message)
        metrics.add(WorkerMetrics.produced, Double(message.outputs.count), stage.name.rawValue)
        break
      } catch {
        await react(to: error)
      }
    }
    if let pending { window.delivered(pending.batch) }
    pending = nil
    deliveryTask = nil
    signal.yield()
  }

  private func react(to trouble: DeliveryFailure) async {
    switch trouble {
    case .retriable(let reason):
      let failures = (pending?.failures ?? 0) + 1
      pending?.failures = failures
      logger.warning("Delivery failed, trying again", ["delivery.failures": .int(failures), "error": .string(reason)])
      let delay = RetryPolicy.exponential(.milliseconds(100), failures: failures, cap: .seconds(10))
      // Cancellation is no end here: what is finished must leave, and a shutdown has its own deadline.
      try? await clock.sleep(for: delay)
      if let shutdownDeadline, now() > shutdownDeadline { pending?.batch = FinishedBatch() }
    case .tooLarge(let output, let reason): replaceOversized(output, reason)
    case .stale(let reason):
      logger.notice("Dropping results of partitions that were lost", ["error": .string(reason)])
      pending?.batch = FinishedBatch()
    case .fatal(let reason):
      failure = .fatal(reason)
      pending?.batch = FinishedBatch()
    }
  }

  // The output's input is dead-lettered in its place. A dead letter that is itself too large loses its value, never its headers.
  private func replaceOversized(_ output: Int, _ reason: String) {
    guard var batch = pending?.batch else { return }
    var first = 0
    for index in batch.handled.indices {
      let count = batch.handled[index].outputs.count
      defer { first += count }
      guard (first..<first + count).contains(output) else { continue }
      let message = batch.handled[index].message
      var letter = DeadLetter.letter(
        message, stage: stage.name, attempt: 0, because: Rejection(.messageTooLarge, "The broker refuses a result as too large: \(reason)"),
        at: Timestamp.rfc3339(now()))
      if batch.handled[index].outputs[output - first].topic == letter.topic { letter.value = nil }
      let rejection = Rejection(.messageTooLarge, reason)
      batch.handled[index].outputs = stage.farewell(to: message, because: rejection) + [letter]
      metrics.add(WorkerMetrics.deadLettered, 1, stage.name.rawValue, rejection.code.rawValue)
      logger.error("A result was too large for the broker", ["message.source": "\(message.source)", "message.offset": .int(Int(message.offset))])
    }
    pending?.batch = batch
  }

  func settle() async {
    do throws(DeliveryFailure) { try await delivery.settle() } catch {
      logger.warning("The last offsets were not committed; their messages come again", ["error": "\(error)"])
    }
  }
}
