import FoundationEssentials
import Messages
import Telemetry

/// A batch on its way, kept so that it can be delivered again.
struct PendingDelivery: Sendable {
  var batch: FinishedBatch
  var failures = 0
}

/// Messages that a stage is told of one after the other.
private struct OrderedLine: Hashable {
  let source: TopicPartition
  let key: [UInt8]?
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
      var batch = window.takeFinished(upTo: Self.largestBatch)
      for index in batch.handled.indices {
        batch.handled[index].outputs = stage.conclude(batch.handled[index].outputs, of: batch.handled[index].message)
      }
      pending = PendingDelivery(batch: batch)
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
      let message = DeliveryBatch(outputs: batch.waiting, offsets: batch.positions.mapValues(\.offset))
      inFlight = Set(batch.positions.keys)
      defer { inFlight = [] }
      let began = now()
      do throws(DeliveryFailure) {
        try await delivery.deliver(message)
        count(batch)
        for one in batch.handled { tracing.delivered(one, from: began, to: now()) }
        await tellStage(of: batch)
        break
      } catch {
        inFlight = []
        await react(to: error, of: batch)
      }
    }
    if let pending { window.delivered(pending.batch) }
    pending = nil
    deliveryTask = nil
    signal.yield()
  }

  // What the stage keeps elsewhere may be slow to reach, so that one after the other would take its time limit for each. Only messages of
  // one key, such as the pages of a list, need their order.
  private func tellStage(of batch: FinishedBatch) async {
    let lines = Dictionary(grouping: batch.handled) { OrderedLine(source: $0.message.source, key: $0.message.key) }.values
    await withDiscardingTaskGroup { [stage] group in
      for handled in lines {
        group.addTask { for one in handled { await stage.delivered(one.message, one.outputs) } }
      }
    }
  }

  private func count(_ batch: FinishedBatch) {
    let time = now()
    let outputs = batch.handled.reduce(0) { $0 + $1.outputs.count }
    let records = batch.handled.reduce(0) { $0 + $1.outputs.count { $0.topic == .videoRecords } }
    metrics.add(WorkerMetrics.produced, Double(outputs), stage.name.rawValue)
    if records > 0 { metrics.add(WorkerMetrics.records, Double(records)) }
    metrics.set(WorkerMetrics.lastDelivery, to: time.timeIntervalSince1970, stage.name.rawValue)
    for one in batch.handled { WorkerMetrics.delivered(one.message, at: time, in: metrics, stage: stage.name) }
  }

  private func react(to trouble: DeliveryFailure, of sent: FinishedBatch) async {
    switch trouble {
    case .partial(let published, let trouble):
      for place in published.compactMap(sent.place(of:)) { pending?.batch.handled[place.message].done.insert(place.output) }
      await react(to: trouble, of: sent)
    case .retriable(let reason): await pause(because: reason)
    case .tooLarge(let output, let reason):
      if let place = sent.place(of: output) { replaceOversized(place, reason) } else { await pause(because: reason) }
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
    metrics.add(WorkerMetrics.deliveryFailures, 1, stage.name.rawValue)
    logger.warning("Delivery failed, trying again", ["delivery.failures": .int(failures), "error": .string(reason)])
    // Cancellation is no end of it but the end of the shutdown's grace: what is finished must leave until then.
    try? await clock.sleep(for: RetryPolicy.exponential(.milliseconds(100), failures: failures, cap: .seconds(10)))
    guard let shutdownDeadline, now() >= shutdownDeadline else { return }
    logger.warning("Finished work was not delivered before the end; its messages come again")
    isCutShort = true
    pending?.batch = FinishedBatch()
  }

  func isDelivering(_ partitions: some Sequence<TopicPartition>) -> Bool { partitions.contains { inFlight.contains($0) } }

  /// The output's input is dead-lettered in its place; a letter, and the event beside it, are made smaller.
  private func replaceOversized(_ place: FinishedBatch.Place, _ reason: String) {
    guard var handled = pending?.batch.handled[place.message] else { return }
    let refused = handled.outputs[place.output]
    var isDropped = false
    if handled.outputs.contains(where: { $0.topic == .dead(stage.name) }) {
      // The others stay as they are: the broker may have them already, and a request ends once.
      if let smaller = Oversize.smaller(refused, isLetter: refused.topic == .dead(stage.name)) {
        handled.outputs[place.output] = smaller
      } else {
        handled.done.insert(place.output)
        isDropped = true
      }
    } else {
      let rejection = Rejection(.messageTooLarge, "The broker refuses a result as too large: \(reason)")
      let attempt = RetryHeaders.failures(handled.message) + 1
      let outputs = deadLettered(handled.message, attempt: attempt, because: rejection)
      handled = Handled(message: handled.message, outputs: outputs, trace: handled.trace)
    }
    logger.error(
      "A result was too large for the broker",
      [
        "message.source": "\(handled.message.source)", "message.offset": .int(Int(handled.message.offset)),
        "output.topic": "\(refused.topic)", "output.dropped": .bool(isDropped),
      ])
    pending?.batch.handled[place.message] = handled
  }

  func settle() async {
    do throws(DeliveryFailure) { try await delivery.settle() } catch {
      logger.warning("The last offsets were not committed; their messages come again", ["error": "\(error)"])
    }
  }
}
