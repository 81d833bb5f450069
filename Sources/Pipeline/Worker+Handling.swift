import FoundationEssentials
import Messages
import Telemetry

/// What becomes of one message.
extension Worker {
  func handle(_ item: WorkItem) async {
    let span = tracing.begin(item, of: stage)
    // Whatever is published and asked of the API meanwhile belongs to it.
    await TraceContext.$current.withValue(span?.context) {
      let result = await resultOfStage(item)
      tracing.end(span, result)
      conclude(item, result)
    }
  }

  private func resultOfStage(_ item: WorkItem) async -> Result<[OutgoingMessage], StageFailure> {
    let began = clock.measureStart()
    let result: Result<[OutgoingMessage], StageFailure>
    do throws(StageFailure) { result = .success(try await stage.handle(item.message)) } catch { result = .failure(error) }
    metrics.observe(WorkerMetrics.handlingSeconds, began().seconds, stage.name.rawValue)
    return result
  }

  private func conclude(_ item: WorkItem, _ result: Result<[OutgoingMessage], StageFailure>) {
    tasks[item.id] = nil
    let isProbe = halt?.probe == item.id
    if isProbe { halt?.probe = nil }
    switch result {
    case .success(let outputs):
      recover(item)
      window.finish(item.id, with: outputs, trace: TraceContext.current)
    case .failure(.cancelled): cancelled(item)
    case .failure(.reject(let rejection)):
      recover(item)
      giveUp(item, because: rejection)
    case .failure(.stop(let fix)): rest(item, .stopped(fix: fix), isProbe: isProbe, after: configuration.stoppedDelay)
    case .failure(.postpone(let time, let rejection)): postpone(item, until: time, because: rejection)
    case .failure(.retry(let after, let rejection)):
      if isOutage || breaker.failed(item.message.origin) {
        let wished = min(after ?? .zero, WorkerConfiguration.longestBreakerDelay)
        rest(item, .outage(reason: rejection.message), isProbe: isProbe, after: max(outageDelay(isProbe), wished))
      } else {
        retry(item, after: after, because: rejection)
      }
    }
    signal.yield()
  }

  private var isOutage: Bool { if case .outage? = halt?.cause { true } else { false } }

  // Also a message that is refused tells that the way to the API and back is open.
  private func recover(_ item: WorkItem) {
    breaker.succeeded(item.message.origin)
    guard halt != nil else { return }
    logger.notice("Going on after the trouble was mended")
    halt = nil
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
        "retry.delay_seconds": .double((delay.seconds * 1000).rounded() / 1000), "error": .string(rejection.message),
      ])
    if stage.retriesInPlace {
      window.postpone(item.id, until: notBefore, failures: failures)
    } else {
      let message = DeadLetter.retry(
        item.message, stage: stage.name, attempt: failures, notBefore: Timestamp.rfc3339(notBefore), because: rejection)
      window.finish(item.id, with: [message], trace: TraceContext.current)
    }
  }

  private func postpone(_ item: WorkItem, until time: Date, because rejection: Rejection) {
    metrics.add(WorkerMetrics.postponed, 1, stage.name.rawValue)
    logger.info(
      "Message postponed",
      [
        "message.source": "\(item.message.source)", "message.offset": .int(Int(item.message.offset)),
        "retry.not_before": .string(Timestamp.rfc3339(time)), "error": .string(rejection.message),
      ])
    guard !stage.retriesInPlace else { return window.postpone(item.id, until: time, failures: item.failures) }
    let message = DeadLetter.postponed(
      item.message, stage: stage.name, attempt: item.failures, notBefore: Timestamp.rfc3339(time), because: rejection)
    window.finish(item.id, with: [message], trace: TraceContext.current)
  }

  private func giveUp(_ item: WorkItem, because rejection: Rejection) {
    logger.warning(
      "Message dead-lettered",
      [
        "message.source": "\(item.message.source)", "message.offset": .int(Int(item.message.offset)),
        "error.code": .string(rejection.code.rawValue), "error": .string(rejection.message),
      ])
    window.finish(item.id, with: deadLettered(item.message, attempt: item.failures + 1, because: rejection), trace: TraceContext.current)
  }

  /// What is published instead of a message's outputs: what its request is told, and the dead letter.
  func deadLettered(_ message: ReceivedMessage, attempt: Int, because rejection: Rejection) -> [OutgoingMessage] {
    metrics.add(WorkerMetrics.deadLettered, 1, stage.name.rawValue, rejection.code.rawValue)
    let letter = DeadLetter.letter(message, stage: stage.name, attempt: attempt, because: rejection, at: Timestamp.rfc3339(now()))
    return stage.farewell(to: message, because: rejection) + [letter]
  }

  /// The message waits, and all others with it, until one finds the trouble gone. None of them loses an attempt.
  private func rest(_ item: WorkItem, _ cause: Halt.Cause, isProbe: Bool, after delay: Duration) {
    if halt?.cause.isSameTrouble(as: cause) != true { log(cause) }
    let time = now()
    var halt = halt ?? Halt(cause: cause, nextProbe: time)
    halt.cause = cause
    if isProbe { halt.failures += 1 }
    if isProbe || halt.nextProbe <= time { halt.nextProbe = time.addingTimeInterval(delay.seconds) }
    self.halt = halt
    window.postpone(item.id, until: halt.nextProbe, failures: item.failures)
  }

  private func outageDelay(_ isProbe: Bool) -> Duration {
    RetryPolicy.exponential(
      configuration.breakerDelay, failures: (halt?.failures ?? 0) + (isProbe ? 2 : 1), cap: WorkerConfiguration.longestBreakerDelay)
  }

  private func log(_ cause: Halt.Cause) {
    switch cause {
    case .stopped(let fix): logger.error("The stage is stopped until this is mended", ["fix": .string(fix)])
    case .outage(let reason):
      metrics.add(WorkerMetrics.outages, 1, stage.name.rawValue)
      logger.warning(
        "Circuit breaker opened: different messages fail in a row",
        ["breaker.failures": .int(configuration.breakerFailures), "error": .string(reason)])
    }
  }
}

extension Clock<Duration> {
  /// Starts a stopwatch.
  fileprivate func measureStart() -> () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
