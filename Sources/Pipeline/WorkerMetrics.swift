import Messages
import Telemetry

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
  }

  fileprivate static func update(_ metrics: Metrics, _ status: WorkerStatus, stage: StageName) {
    metrics.set(running, to: Double(status.running), stage.rawValue)
    metrics.set(held, to: Double(status.held), stage.rawValue)
    metrics.set(delayed, to: Double(status.delayed), stage.rawValue)
    metrics.set(assigned, to: Double(status.assigned), stage.rawValue)
    metrics.set(breakerOpen, to: status.outage == nil ? 0 : 1, stage.rawValue)
    metrics.set(stopped, to: status.stopReason == nil ? 0 : 1, stage.rawValue)
  }
}

extension Worker {
  /// Sets the gauges to what is now. To be called before each exposition: between two of them nobody reads gauges.
  public func updateGauges() { WorkerMetrics.update(metrics, status, stage: stage.name) }
}
