import Synchronization

/// What the calls change: statistics, quota and the line of faults.
final class StubState: Sendable {
  private struct Values {
    var statistics = Statistics()
    var quota: QuotaBuckets
    var faults = FaultLine()
  }

  private let values: Mutex<Values>

  init(quota: QuotaBuckets) { values = Mutex(Values(quota: quota)) }

  var statistics: Statistics { values.withLock { $0.statistics } }

  /// Counts a call and takes the faults that strike it.
  func begin(_ call: Call) -> [Fault] {
    values.withLock { values in
      values.statistics.calls[call.method.name, default: 0] += 1
      return values.faults.take(for: call)
    }
  }

  /// Spends what a call costs, faulty or not.
  func spend(_ bucket: QuotaBuckets.Bucket, now: Int) throws(APIError) {
    let refusal = values.withLock { values -> APIError? in
      if values.quota.take(bucket, now: now) {
        values.statistics.units[bucket, default: 0] += 1
        return nil
      }
      let error: APIError = bucket == .search ? .searchQuotaExceeded(limit: values.quota.limits[.search] ?? 0) : .quotaExceeded
      values.statistics.rejected[error.reason, default: 0] += 1
      return error
    }
    if let refusal { throw refusal }
  }

  func add(_ fault: Fault) { values.withLock { $0.faults.add(fault) } }
  func clearFaults() { values.withLock { $0.faults.clear() } }

  func reset() {
    values.withLock { values in
      values.statistics = Statistics()
      values.quota.reset()
    }
  }

  func setLimits(_ limits: [QuotaBuckets.Bucket: Int]) {
    values.withLock { $0.quota.limits.merge(limits) { $1 } }
  }
}
