import Messages
import Telemetry

/// What a worker has done since its start, in messages.
public struct WorkerTotals: Sendable, Equatable {
  public let consumed: Int
  /// Published and confirmed.
  public let produced: Int
  public let retried: Int
  public let deadLettered: Int
  /// Passed over, since the same step had been done before.
  public let repeated: Int
}

extension Worker {
  public nonisolated var totals: WorkerTotals {
    func count(_ name: String, _ labels: (String, String?)) -> Int {
      let value = labels.1.map { metrics.value(name, labels.0, $0) } ?? metrics.value(name, labels.0)
      return Int(value ?? 0)
    }
    let name = stage.name.rawValue
    return WorkerTotals(
      consumed: count(WorkerMetrics.consumed, (name, nil)), produced: count(WorkerMetrics.produced, (name, nil)),
      retried: count(WorkerMetrics.retried, (name, nil)),
      deadLettered: DeadLetterCode.allCases.reduce(0) { $0 + count(WorkerMetrics.deadLettered, (name, $1.rawValue)) },
      repeated: count(WorkerMetrics.repeated, (name, nil)))
  }
}
