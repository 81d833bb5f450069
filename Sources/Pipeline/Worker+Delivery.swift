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
    guard deliveryTask == nil, failure == nil, !isCutShort else { return }
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
      inFlight = Set(batch.positions.keys)
      defer { inFlight = [] }
      do throws(DeliveryFailure) {
        try await delivery.deliver(message)
        metrics.add(WorkerMetrics.produced, Double(message.outputs.count), stage.name.rawValue)
        for one in batch.handled { await stage.delivered(one.message, one.outputs) }
        break
      } catch {
        inFlight = []
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
    case .retriable(let reason): await pause(because: reason)
    case .tooLarge(let output, let reason):
      if !replaceOversized(output, reason) { await pause(because: reason) }
    case .stale(let reason):
      // Partitions that stay with this worker may not skip a result: only the events of the membership tell which are gone.
      await pause(because: reason)
    case .fatal(let reason):
      failure = .fatal(reason)
      pending?.batch = FinishedBatch()
    }
  }

  private func pause(because reason: String) async {
    let failures = (pending?.failures ?? 0) + 1
    pending?.failures = failures
    logger.warning("Delivery failed, trying again", ["delivery.failures": .int(failures), "error": .string(reason)])
    // Cancellation is no end of it but the end of the shutdown's grace: what is finished must leave until then.
    try? await clock.sleep(for: RetryPolicy.exponential(.milliseconds(100), failures: failures, cap: .seconds(10)))
    guard let shutdownDeadline, now() >= shutdownDeadline else { return }
    logger.warning("Finished work was not delivered before the end; its messages come again")
    isCutShort = true
    pending?.batch = FinishedBatch()
  }

  func isDelivering(_ partitions: some Sequence<TopicPartition>) -> Bool { partitions.contains { inFlight.contains($0) } }

  /// The output's input is dead-lettered in its place. Returns whether there is such an output.
  private func replaceOversized(_ output: Int, _ reason: String) -> Bool {
    guard var handled = pending?.batch.handled, let (index, refused) = Self.locate(output, in: handled) else { return false }
    let message = handled[index].message
    let rejection = Rejection(.messageTooLarge, "The broker refuses a result as too large: \(reason)")
    let letter = DeadLetter.letter(
      message, stage: stage.name, attempt: RetryHeaders.failures(message) + 1, because: rejection, at: Timestamp.rfc3339(now()))
    let isLetter = refused.topic == letter.topic
    let reduction = max(handled[index].reductions + 1, isLetter ? 2 : 1)
    if handled[index].reductions == 0 && !isLetter {
      metrics.add(WorkerMetrics.deadLettered, 1, stage.name.rawValue, rejection.code.rawValue)
    }
    handled[index].reductions = reduction
    handled[index].outputs = Oversize.outputs(
      reduction: reduction, farewell: stage.farewell(to: message, because: rejection), letter: letter)
    logger.error(
      "A result was too large for the broker",
      [
        "message.source": "\(message.source)", "message.offset": .int(Int(message.offset)), "output.topic": "\(refused.topic)",
        "output.dropped": .bool(reduction >= Oversize.lastReduction),
      ])
    pending?.batch.handled = handled
    return true
  }

  private static func locate(_ output: Int, in handled: [Handled]) -> (index: Int, output: OutgoingMessage)? {
    var first = 0
    for (index, one) in handled.enumerated() {
      if output >= first, output - first < one.outputs.count { return (index, one.outputs[output - first]) }
      first += one.outputs.count
    }
    return nil
  }

  func settle() async {
    do throws(DeliveryFailure) { try await delivery.settle() } catch {
      logger.warning("The last offsets were not committed; their messages come again", ["error": "\(error)"])
    }
  }
}
