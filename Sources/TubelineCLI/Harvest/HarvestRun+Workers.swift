import Messages
import Processes
import Stages
import Telemetry

/// The workers' side of a harvest.
extension HarvestRun {
  func startWorkers() async throws {
    for stage in HarvestOptions.stages {
      for number in 1...options.workers { try await fleet.start(WorkerFleet.Slot(stage: stage, number: number)) }
    }
  }

  func watchWorkers() async throws {
    for event in fleet.takeEvents() {
      switch event {
      case .log(let slot, let line): read(line, of: slot)
      case .died(let slot, let ending, let lastWords): died(slot, ending, lastWords)
      }
    }
    let due = restarts.filter { $0.due <= clock.now }
    restarts.removeAll { $0.due <= clock.now }
    for restart in due { try await fleet.start(restart.slot) }
  }

  private func read(_ line: WorkerLogLine, of slot: WorkerFleet.Slot) {
    if let wait = line.beginsQuotaWait { waits[slot] = wait }
    if line.endsQuotaWait != nil { waits[slot] = nil }
    if let reason = line.stopReason {
      // It ends the harvest, whose last words say it: once.
      stopReason = stopReason ?? VisibleText.of(reason)
      return
    }
    if line.level >= .warning { note("\(slot): \(VisibleText.of(line.text))") }
  }

  /// Says something, unless the same was said a moment ago.
  func note(_ text: String) {
    let now = clock.now
    if shownLines.count > 1000 { shownLines = shownLines.filter { now - $0.value < .seconds(30) } }
    if let last = shownLines[text], now - last < .seconds(30) { return }
    shownLines[text] = now
    printer.message(text)
  }

  private func died(_ slot: WorkerFleet.Slot, _ ending: ChildProcess.Ending, _ lastWords: String) {
    waits[slot] = nil
    let words = lastWords.isEmpty ? "" : " Its last words: \(VisibleText.of(lastWords))"
    switch policy.died(slot, ending, at: clock.now - began) {
    case .restart(let delay):
      printer.message("\(slot) ended with \(ending) and is started again.\(words)")
      restarts.append((slot, clock.now + delay))
    case .giveUp:
      stopReason = "\(slot) ended with \(ending) and is not started again.\(words)"
    }
  }

  /// The last words: the table, and what is to be done about it.
  func report(_ ending: Ending) -> ExitCode {
    guard ending != .outputClosed else {
      printer.message(HarvestTable.cutShort(state))
      return .incomplete
    }
    printer.message("\n" + HarvestTable.text(state, width: Console.Stream.error.columns).dropLast())
    if let spending = HarvestTable.spending(state, quota.reading) { printer.message(spending) }
    switch ending {
    case .finished:
      if !state.isSuccessful { printer.message("Not every request was completed.") }
      return state.isSuccessful ? .done : .incomplete
    case .interrupted:
      printer.message("Stopped: \(state.finished) of \(state.requests.count) requests are done; what is written stays.")
      return .incomplete
    case .quotaUsedUp:
      let reset = quota.reading.map { " The reset is in \(Spans.short($0.untilReset))." } ?? ""
      printer.message("The quota is used up, and --no-wait was given.\(reset)")
      return .quotaUsedUp
    case .cannotGoOn(let reason):
      printer.message("Cannot go on: \(reason)")
      return .incomplete
    case .outputClosed: return .incomplete
    }
  }
}

/// Notices that nothing changes, and how often to say so: after 30 seconds, then at twice the time each.
struct Standstill: Sendable {
  private var changes = -1
  private var since: ContinuousClock.Instant?
  private var next = Duration.seconds(30)

  mutating func isToBeTold(changes: Int, at now: ContinuousClock.Instant) -> Bool {
    guard changes == self.changes, let since else {
      self.changes = changes
      since = now
      next = .seconds(30)
      return false
    }
    guard now - since >= next else { return false }
    next *= 2
    return true
  }

  func length(at now: ContinuousClock.Instant) -> Duration { since.map { now - $0 } ?? .zero }
}
