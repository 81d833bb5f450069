public import FoundationEssentials
public import Messages
public import Telemetry

/// Runs one stage as a member of its consumer group: takes messages, handles them concurrently within a window,
/// and delivers outputs and offsets in order.
///
/// The loop never waits for work, and work never blocks the loop: a wait of hours for quota is a full window,
/// while the membership is kept alive.
public actor Worker {
  let stage: any Stage
  let source: any MessageSource
  let delivery: any Delivery
  let configuration: WorkerConfiguration
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  let logger: Logger
  let metrics: Metrics
  let tracing: WorkerTracing

  var window: WorkWindow
  var tasks: [Int: Task<Void, Never>] = [:]
  /// Partitions that are to be given up, by when at the latest.
  var leaving: [TopicPartition: Date] = [:]
  var gaps: [TopicPartition: Gap] = [:]
  /// What waits until the change of membership before it is done.
  var changes: [MembershipChange] = []
  var changeTask: Task<Void, Never>?
  var isStarting = false
  var deliveryTask: Task<Void, Never>?
  var pending: PendingDelivery?
  var inFlight: Set<TopicPartition> = []
  var lastDelivery = Date.distantPast
  var hasJoined = false
  var halt: Halt? { didSet { if halt?.cause != oldValue?.cause { haltChanged?() } } }
  private var haltChanged: (@Sendable () -> Void)?
  var breaker: CircuitBreaker
  var shutdownDeadline: Date?
  /// Finished work could not be delivered before the end of the grace; nothing behind it may be delivered either.
  var isCutShort = false
  var failure: WorkerError?
  private let signals: AsyncStream<Void>
  let signal: AsyncStream<Void>.Continuation

  /// - Parameters:
  ///   - clock: sleeps; `now` tells the time of day for not-before headers and event times.
  public init(
    stage: any Stage, source: any MessageSource, delivery: any Delivery, configuration: WorkerConfiguration = WorkerConfiguration(),
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }, logger: Logger = .silent,
    metrics: Metrics = Metrics(), tracing: WorkerTracing = .off
  ) {
    self.stage = stage
    self.source = source
    self.delivery = delivery
    self.configuration = configuration
    self.clock = clock
    self.now = now
    self.logger = logger
    self.metrics = metrics
    self.tracing = tracing
    window = WorkWindow(
      concurrency: configuration.concurrency, window: configuration.window,
      skipsRepetition: { stage.skipsRepetitions && stage.skipsRepetition(of: $0) })
    breaker = CircuitBreaker(threshold: configuration.breakerFailures)
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    WorkerMetrics.declare(in: metrics)
  }

  /// Works until `shutDown` or until this process can go on no more.
  public func run() async throws(WorkerError) {
    source.onWake { [signal] in signal.yield() }
    signal.yield()
    for await _ in signals {
      await step()
      if isFinished { break }
      setTimer()
    }
    timer?.cancel()
    await end()
    if let failure { throw failure }
  }

  /// Takes nothing new, finishes what runs within `shutdownGrace`, commits and leaves the group; `run` returns then.
  public func shutDown() {
    guard shutdownDeadline == nil else { return }
    logger.info("Shutting down", ["messages.running": .int(window.running.count)])
    shutdownDeadline = now().addingTimeInterval(configuration.shutdownGrace.seconds)
    window.revokeAll()
    signal.yield()
  }

  /// Messages that wait for their time and are meant are handled at once.
  public func hasten(_ isMeant: (ReceivedMessage) -> Bool) {
    window.hasten(isMeant)
    signal.yield()
  }

  /// Sets what is called when the stage stops, its circuit breaker opens, or it goes on.
  public func onHaltChange(_ changed: @escaping @Sendable () -> Void) { haltChanged = changed }

  /// What the worker is doing, for readiness and status pages.
  public var status: WorkerStatus {
    WorkerStatus(
      partitions: window.assigned, running: window.running.count, held: window.held, delayed: window.delayedCount,
      paused: window.pausedCount, windowLimit: configuration.window, concurrencyLimit: configuration.concurrency,
      halt: halt?.cause, isShuttingDown: shutdownDeadline != nil, hasJoined: hasJoined)
  }

  private func step() async {
    for event in source.poll() { received(event) }
    leaveGaps()
    letGo()
    nextChange()
    if shutdownDeadline == nil && failure == nil { take() }
    while mayStart, let item = window.start(at: now(), newFirst: halt != nil) { begin(item) }
    let moved = window.stepAside(at: now(), stage: stage.name)
    if moved > 0 { logger.debug("Messages that wait were put behind others", ["messages": .int(moved)]) }
    deliverFinished()
    if let shutdownDeadline, now() >= shutdownDeadline {
      cancelRunning()
      deliveryTask?.cancel()
    }
  }

  // One message at a time asks again: each of the others would only spend quota to hear the same.
  private var mayStart: Bool { halt.map { $0.probe == nil && $0.nextProbe <= now() } ?? true }

  private func take() {
    let latest = now().addingTimeInterval(max(configuration.retry.cap.seconds, 3600))
    for partition in window.turn() {
      let limit = window.room(for: partition)
      guard limit > 0 else { continue }
      let messages = source.take(from: partition, upTo: limit)
      guard !messages.isEmpty else { continue }
      let new = messages.count { received($0, latest: latest) }
      if new > 0 { metrics.add(WorkerMetrics.consumed, Double(new), stage.name.rawValue) }
      // A full answer means that there may be more, for which no wake-up comes.
      if messages.count == limit { signal.yield() }
    }
  }

  /// Returns whether the message is new to this group.
  private func received(_ message: ReceivedMessage, latest: Date) -> Bool {
    let receipt = window.receive(message, latest: latest)
    if receipt == .repetition {
      metrics.add(WorkerMetrics.repeated, 1, stage.name.rawValue)
      logger.notice("Repetition passed over", ["message.source": "\(message.source)", "message.offset": .int(Int(message.offset))])
    }
    return receipt != .past
  }

  private func begin(_ item: WorkItem) {
    // A task of its own rather than a child: a group cannot cancel one child, and a revoked partition's work must end alone.
    tasks[item.id] = Task { await self.handle(item) }
    halt?.probe = item.id
  }

  func cancelRunning() {
    for task in tasks.values { task.cancel() }
  }

  private var isFinished: Bool {
    if failure != nil { return true }
    guard shutdownDeadline != nil else { return false }
    return window.running.isEmpty && deliveryTask == nil && (isCutShort || !window.hasFinished)
  }

  private func end() async {
    cancelRunning()
    changeTask?.cancel()
    // Without a grace, by cancellation or failure, a delivery is not tried again.
    if shutdownDeadline == nil || failure != nil {
      shutdownDeadline = now()
      deliveryTask?.cancel()
    }
    for task in Array(tasks.values) { await task.value }
    await deliveryTask?.value
    await changeTask?.value
    if failure == nil { await settle() }
    await source.close()
    await delivery.close()
    logger.info("Stopped")
  }

  // One timer for whatever comes next: a delayed message, the end of a grace, the next delivery, the group's heartbeat.
  private var timer: Task<Void, Never>?

  private func setTimer() {
    // What is overdue waits for something that wakes the worker; only what is to come needs a timer.
    let later = [halt?.nextProbe, leaving.values.min(), shutdownDeadline].filter { $0 ?? .distantPast > now() }
    let due = [halt == nil ? window.nextDue : nil, nextDelivery]
    let times = (due + later).compactMap { $0 }
    let untilNext = times.min().map { max(0.001, $0.timeIntervalSince(now())) } ?? .infinity
    let delay = Duration.seconds(min(untilNext, 1))
    timer?.cancel()
    timer = Task { [clock, signal] in
      guard (try? await clock.sleep(for: delay)) != nil else { return }
      signal.yield()
    }
  }
}

/// Why a worker could not go on.
public enum WorkerError: Error, Sendable, Equatable, CustomStringConvertible {
  case fatal(String)

  public var description: String {
    switch self {
    case .fatal(let reason): reason
    }
  }
}
