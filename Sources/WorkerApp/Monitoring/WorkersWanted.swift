import Quota

/// How many workers of a stage would be useful now: what an autoscaler follows (docs/metrics.md has the formula).
struct WorkersWanted: Equatable {
  /// Messages that wait or are being handled, by partition of the stage's input topics.
  var lag: [Int]
  /// Messages on the stage's retry topic.
  var retries: Int
  /// Messages that one worker handles at the same time.
  var concurrency: Int
  /// Units that this stage may still spend today; `nil` when the ledger does not answer.
  var units: Int?

  var count: Int {
    let waiting = lag.reduce(0, +)
    guard waiting + retries > 0 else { return 0 }
    // One keeps the partitions, and goes on at the reset by itself.
    if let units, units <= 0 { return 1 }
    let busy = (waiting + concurrency - 1) / max(1, concurrency)
    // Two workers cannot share a partition, and more workers than units have nothing to spend.
    return max(1, min(busy, lag.count { $0 > 0 }, units ?? .max))
  }

  /// What a stage may still spend of its bucket.
  static func units(_ status: BucketStatus?, policy: QuotaPolicy) -> Int? {
    status.map { $0.isExhausted ? 0 : $0.remaining - ($0.bucket == .default ? policy.reserve : 0) }
  }
}
