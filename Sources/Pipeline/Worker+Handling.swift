import FoundationEssentials
import Messages
import Telemetry

/// What becomes of one message.
extension Worker {
  func handle(_ item: WorkItem) async {
    let began = clock.measureStart()
    let result: Result<[OutgoingMessage], StageFailure>
    do throws(StageFailure) { result = .success(try await stage.handle(item.message)) } catch { result = .failure(error) }
    metrics.observe(WorkerMetrics.handlingSeconds, began().seconds, stage.name.rawValue)
    tasks[item.id] = nil
    if probe == item.id { probe = nil }
    switch result {
    case .success(let outputs): succeeded(item, outputs)
    case .failure(.cancelled): cancelled(item)
    case .failure(.reject(let rejection)): giveUp(item, because: rejection)
    case .failure(.stop(let fix)): stop(item, fix: fix)
    case .failure(.retry(let after, let rejection)): retry(item, after: after, because: rejection)
    }
    signal.yield()
  }

  private func succeeded(_ item: WorkItem, _ outputs: [OutgoingMessage]) {
    if stopReason != nil {
      logger.notice("Going on after the trouble was mended")
      stopReason = nil
    }
    window.finish(item.id, with: outputs)
  }

  // A cancellation that was not the worker's must not leave the message unfinished for ever: nothing behind it could be committed.
  private func cancelled(_ item: WorkItem) {
    if Task.isCancelled {
      window.abandon(item.id)
    } else {
      window.postpone(item.id, until: now().addingTimeInterval(1), failures: item.failures)
    }
  }

  private func retry(_ item: WorkItem, after: Duration?, because rejection: Rejection) {
    var generator = RandomSource()
    let failures = item.failures + 1
    guard let delay = configuration.retry.delay(afterFailures: failures, retryAfter: after, using: &generator) else {
      giveUp(
        item,
        because: Rejection(.attemptsExhausted, "Given up after \(failures) attempts. \(rejection.message)", requestID: rejection.requestID))
      return
    }
    let notBefore = now().addingTimeInterval(delay.seconds)
    metrics.add(WorkerMetrics.retried, 1, stage.name.rawValue)
    logger.warning(
      "Retry scheduled",
      [
        "message.source": "\(item.message.source)", "message.offset": .int(Int(item.message.offset)), "retry.attempt": .int(failures),
        "retry.delay_seconds": .double(delay.seconds), "error": .string(rejection.message),
      ])
    if stage.retriesInPlace {
      window.postpone(item.id, until: notBefore, failures: failures)
    } else {
      let message = DeadLetter.retry(
        item.message, stage: stage.name, attempt: failures, notBefore: Timestamp.rfc3339(notBefore), because: rejection)
      window.finish(item.id, with: [message])
    }
  }

  private func giveUp(_ item: WorkItem, because rejection: Rejection) {
    metrics.add(WorkerMetrics.deadLettered, 1, stage.name.rawValue, rejection.code.rawValue)
    logger.warning(
      "Message dead-lettered",
      [
        "message.source": "\(item.message.source)", "message.offset": .int(Int(item.message.offset)),
        "error.code": .string(rejection.code.rawValue), "error": .string(rejection.message),
      ])
    let letter = DeadLetter.letter(
      item.message, stage: stage.name, attempt: item.failures + 1, because: rejection, at: Timestamp.rfc3339(now()))
    window.finish(item.id, with: stage.farewell(to: item.message, because: rejection) + [letter])
  }

  private func stop(_ item: WorkItem, fix: String) {
    if stopReason != fix {
      logger.error("The stage is stopped until this is mended", ["fix": .string(fix)])
      stopReason = fix
    }
    let next = now().addingTimeInterval(configuration.stoppedDelay.seconds)
    nextProbe = next
    window.postpone(item.id, until: next, failures: item.failures)
  }
}

extension Clock<Duration> {
  /// Starts a stopwatch.
  fileprivate func measureStart() -> () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
