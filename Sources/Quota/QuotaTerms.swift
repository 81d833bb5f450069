/// What a policy means for one bucket, in the integers that every ledger computes with.
public struct QuotaTerms: Sendable, Equatable {
  /// Units a day.
  public let limit: Int
  /// Units a day that this process may bring the count to: the limit less its reserve.
  public let usable: Int
  /// With even pacing: the units that may be spent at the start of the day; `nil` for burst pacing.
  public internal(set) var allowance: Int?
  /// Microseconds between calls once the burst is gone; `nil` without a limit per minute.
  public internal(set) var requestInterval: Int?
  /// Calls that may follow each other at once.
  public internal(set) var requestBurst = 1

  init(limit: Int, usable: Int) {
    self.limit = limit
    self.usable = usable
  }
}
