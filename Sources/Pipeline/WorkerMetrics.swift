import FoundationEssentials
public import Messages
public import Telemetry

/// The worker's metrics.
enum WorkerMetrics {
  static let consumed = "tubeline_messages_consumed_total"
  static let produced = "tubeline_messages_produced_total"
  static let retried = "tubeline_messages_retried_total"
  static let deadLettered = "tubeline_messages_dead_lettered_total"
  static let repeated = "tubeline_messages_repeated_total"
  static let handlingSeconds = "tubeline_handling_seconds"
  static let gaps = "tubeline_log_gaps_total"
  static let sourceErrors = "tubeline_kafka_errors_total"
  static let running = "tubeline_messages_in_flight"
  static let held = "tubeline_messages_held"
  static let delayed = "tubeline_messages_delayed"
  static let assigned = "tubeline_partitions_assigned"
  static let stopped = "tubeline_stage_stopped"
  static let breakerOpen = "tubeline_breaker_open"
  static let outages = "tubeline_breaker_openings_total"
  static let postponed = "tubeline_messages_postponed_total"
  static let records = "tubeline_video_records_produced_total"
  static let messageAge = "tubeline_message_age_seconds"
  static let requestAge = "tubeline_request_age_seconds"
  static let windowLimit = "tubeline_window_limit_messages"
  static let concurrencyLimit = "tubeline_concurrency_limit_messages"
  static let paused = "tubeline_partitions_paused"
  static let rebalances = "tubeline_rebalances_total"
  static let deliveryFailures = "tubeline_delivery_failures_total"
  static let lastDelivery = "tubeline_last_delivery_timestamp_seconds"
  static let ready = "tubeline_worker_ready"

  /// From a tenth of a second to two days: a message may wait for the reset of the quota.
  static let ageBuckets: [Double] = [0.1, 0.5, 1, 5, 15, 60, 300, 1800, 3600, 21_600, 43_200, 86_400, 172_800]

  static func declare(in metrics: Metrics) {
    metrics.declare(.counter, consumed, help: "Messages taken from Kafka.", labels: ["stage"])
    metrics.declare(.counter, produced, help: "Messages published and confirmed.", labels: ["stage"])
    metrics.declare(.counter, retried, help: "Messages that will be handled again.", labels: ["stage"])
    metrics.declare(.counter, repeated, help: "Messages passed over because the same step had been done before.", labels: ["stage"])
    metrics.declare(.counter, deadLettered, help: "Messages put into the dead-letter topic.", labels: ["stage", "reason"])
    metrics.declare(
      .histogram, handlingSeconds, help: "Time from the start of handling a message to its result, in seconds.", labels: ["stage"])
    metrics.declare(.counter, gaps, help: "Times that the log no longer had the committed offset.", labels: ["stage"])
    metrics.declare(.counter, sourceErrors, help: "Errors that the Kafka client reported.", labels: ["stage"])
    metrics.declare(.gauge, running, help: "Messages being handled.", labels: ["stage"])
    metrics.declare(.gauge, held, help: "Messages held: waiting, being handled, or not yet delivered.", labels: ["stage"])
    metrics.declare(.gauge, delayed, help: "Messages waiting for their time.", labels: ["stage"])
    metrics.declare(.gauge, assigned, help: "Partitions assigned to this worker.", labels: ["stage"])
    metrics.declare(.gauge, breakerOpen, help: "1 while the circuit breaker is open because of an outage.", labels: ["stage"])
    metrics.declare(.counter, outages, help: "Times that the circuit breaker opened.", labels: ["stage"])
    metrics.declare(.gauge, stopped, help: "1 while the stage is stopped by a trouble that somebody must mend.", labels: ["stage"])
    declareFlow(in: metrics)
    declareLimits(in: metrics)
  }

  private static func declareFlow(in metrics: Metrics) {
    metrics.declare(.counter, postponed, help: "Messages put off until there is quota for them, at no attempt's cost.", labels: ["stage"])
    metrics.declare(.counter, records, help: "Video records published and confirmed.")
    metrics.declare(
      .histogram, messageAge, help: "Age of a message when its results were published, since it was put on its topic, in seconds.",
      labels: ["stage"], buckets: ageBuckets)
    metrics.declare(
      .histogram, requestAge, help: "Age of a message's request when its results were published, since the request was, in seconds.",
      labels: ["stage"], buckets: ageBuckets)
    metrics.declare(.counter, rebalances, help: "Times that partitions came or went.", labels: ["stage"])
    metrics.declare(.counter, deliveryFailures, help: "Deliveries of results that failed and were tried again.", labels: ["stage"])
    metrics.declare(.gauge, lastDelivery, help: "When results were last published, in seconds since 1970.", labels: ["stage"])
  }

  private static func declareLimits(in metrics: Metrics) {
    metrics.declare(.gauge, windowLimit, help: "Messages that may be held.", labels: ["stage"])
    metrics.declare(.gauge, concurrencyLimit, help: "Messages that may be handled at the same time.", labels: ["stage"])
    metrics.declare(
      .gauge, paused, help: "Assigned partitions from which nothing is taken, since the window has no room.", labels: ["stage"])
    metrics.declare(.gauge, ready, help: "1 while /readyz says so: a member of its group that works.", labels: ["stage"])
  }

  /// The results of one message are published.
  static func delivered(_ message: ReceivedMessage, at time: Date, in metrics: Metrics, stage: StageName) {
    let milliseconds = time.timeIntervalSince1970 * 1000
    if let published = message.timestamp, published > 0 {
      metrics.observe(messageAge, max(0, milliseconds - Double(published)) / 1000, stage.rawValue)
    }
    if let requested = message.requestedAt { metrics.observe(requestAge, max(0, time.timeIntervalSince(requested)), stage.rawValue) }
  }

  fileprivate static func update(_ metrics: Metrics, _ status: WorkerStatus, stage: StageName) {
    metrics.set(running, to: Double(status.running), stage.rawValue)
    metrics.set(held, to: Double(status.held), stage.rawValue)
    metrics.set(delayed, to: Double(status.delayed), stage.rawValue)
    metrics.set(assigned, to: Double(status.assigned), stage.rawValue)
    metrics.set(breakerOpen, to: status.outage == nil ? 0 : 1, stage.rawValue)
    metrics.set(stopped, to: status.stopReason == nil ? 0 : 1, stage.rawValue)
    metrics.set(paused, to: Double(status.paused), stage.rawValue)
    metrics.set(ready, to: status.isReady ? 1 : 0, stage.rawValue)
    metrics.set(windowLimit, to: Double(status.windowLimit), stage.rawValue)
    metrics.set(concurrencyLimit, to: Double(status.concurrencyLimit), stage.rawValue)
  }
}

extension Worker {
  /// Every worker does so at its start. The counters of its stage begin at 0 and the histograms empty, so that the first count is an
  /// increase.
  public static func declareMetrics(in metrics: Metrics, stage: StageName) {
    WorkerMetrics.declare(in: metrics)
    let samples = [
      WorkerMetrics.consumed, WorkerMetrics.produced, WorkerMetrics.retried, WorkerMetrics.repeated, WorkerMetrics.postponed,
      WorkerMetrics.gaps, WorkerMetrics.sourceErrors, WorkerMetrics.outages, WorkerMetrics.rebalances, WorkerMetrics.deliveryFailures,
      WorkerMetrics.handlingSeconds, WorkerMetrics.messageAge, WorkerMetrics.requestAge,
    ]
    for sample in samples { metrics.begin(sample, stage.rawValue) }
    for code in DeadLetterCode.allCases { metrics.begin(WorkerMetrics.deadLettered, stage.rawValue, code.rawValue) }
  }

  /// Sets the gauges to what is now. To be called before each exposition: between two of them nobody reads gauges.
  public func updateGauges() { WorkerMetrics.update(metrics, status, stage: stage.name) }
}
