/// How much of each bucket this process may take, and how fast.
public struct QuotaPolicy: Sendable, Equatable {
  /// `burst` spends as fast as wanted; `even` lets units accrue over the day, ahead of time only by a burst allowance.
  public enum Pacing: String, Sendable, CaseIterable { case burst, even }

  /// Units a day; a bucket that is left out has its documented default.
  public var limits: [Bucket: Int]
  public var pacing: Pacing
  /// With `even` pacing: how far spending may run ahead, in percent of the day's units (at least one unit).
  public var burstPercent: Int
  /// Calls in any 60 seconds, per bucket, of all processes together; `nil` is no such limit.
  public var requestsPerMinute: Int?
  /// Units of the default bucket that this process leaves to others.
  public var reserve: Int

  public init(
    limits: [Bucket: Int] = [:], pacing: Pacing = .burst, burstPercent: Int = 2, requestsPerMinute: Int? = nil, reserve: Int = 0
  ) {
    self.limits = limits
    self.pacing = pacing
    self.burstPercent = burstPercent
    self.requestsPerMinute = requestsPerMinute
    self.reserve = reserve
  }

  public static let defaultLimits: [Bucket: Int] = [.default: 10_000, .search: 100, .batchGetStats: 10_000]

  // Products of units and milliseconds of a day stay below 2^53, so Lua's numbers count them exactly.
  static let unitsRange = 0...50_000_000
  static let requestsRange = 1...60_000

  public func limit(_ bucket: Bucket) -> Int { limits[bucket] ?? Self.defaultLimits[bucket] ?? 0 }

  /// The sentence that says what is wrong with a value and what is allowed; `nil` when all is well.
  public func problem() -> String? {
    for bucket in Bucket.allCases where !Self.unitsRange.contains(limit(bucket)) {
      return
        "The daily limit of bucket \(bucket) is \(limit(bucket)); allowed are \(Self.unitsRange.lowerBound) to \(Self.unitsRange.upperBound)."
    }
    if !(0...100).contains(burstPercent) { return "The burst allowance is \(burstPercent) percent; allowed are 0 to 100." }
    if let requestsPerMinute, !Self.requestsRange.contains(requestsPerMinute) {
      return "Requests per minute is \(requestsPerMinute); allowed are 1 to \(Self.requestsRange.upperBound)."
    }
    if !(0...limit(.default)).contains(reserve) {
      return "The reserve is \(reserve); allowed are 0 to the daily limit, \(limit(.default))."
    }
    return nil
  }

  /// The policy for one bucket, as the ledger's integers; values out of range are taken to its nearest end.
  public func terms(for bucket: Bucket) -> QuotaTerms {
    let limit = limit(bucket).clamped(to: Self.unitsRange)
    let usable = max(0, limit - (bucket == .default ? max(0, reserve) : 0))
    var terms = QuotaTerms(limit: limit, usable: usable)
    if pacing == .even { terms.allowance = min(usable, max(1, usable * burstPercent.clamped(to: 0...100) / 100)) }
    if let requestsPerMinute {
      let requests = requestsPerMinute.clamped(to: Self.requestsRange)
      // burst - 1 + ceil(minute / interval) calls fit into any minute: chosen so that this never passes the limit.
      terms.requestBurst = max(1, requests / 10)
      terms.requestInterval = (60_000_000 + requests - terms.requestBurst) / (requests - terms.requestBurst + 1)
    }
    return terms
  }
}

extension Int {
  func clamped(to range: ClosedRange<Int>) -> Int { Swift.min(Swift.max(self, range.lowerBound), range.upperBound) }
}
