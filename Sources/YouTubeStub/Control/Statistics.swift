import JSON

/// What the stub was asked and what that cost.
struct Statistics: Equatable {
  var calls: [String: Int] = [:]
  var units: [QuotaBuckets.Bucket: Int] = [:]
  /// Answers that said the quota is used up, by their reason.
  var rejected: [String: Int] = ["quotaExceeded": 0]

  var tree: JSONTree {
    func object(_ counts: some Sequence<(String, Int)>) -> JSONTree {
      .object(counts.sorted { $0.0 < $1.0 }.map { JSONTree.Member($0.0, .int($0.1)) })
    }
    return [
      "calls": object(calls.map { ($0.key, $0.value) }),
      "units": object(QuotaBuckets.Bucket.allCases.map { ($0.rawValue, units[$0] ?? 0) }),
      "rejected": object(rejected.map { ($0.key, $0.value) }),
    ]
  }
}
