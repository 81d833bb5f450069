/// The daily limits, as the API counts them: each bucket is empty again at midnight in Los Angeles.
struct QuotaBuckets: Equatable {
  enum Bucket: String, CaseIterable { case `default`, search }

  var limits: [Bucket: Int]
  private var used: [Bucket: Int] = [:]
  private var day = 0

  init(default units: Int = 10_000, search calls: Int = 100) { limits = [.default: units, .search: calls] }

  /// Takes one unit; false when none is left.
  mutating func take(_ bucket: Bucket, now: Int) -> Bool {
    let today = CivilTime.pacificDay(now)
    if today != day {
      day = today
      used = [:]
    }
    guard used[bucket, default: 0] < limits[bucket, default: 0] else { return false }
    used[bucket, default: 0] += 1
    return true
  }

  mutating func reset() { used = [:] }
}
