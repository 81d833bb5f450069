public import FoundationEssentials

/// One bucket's count at one moment.
public struct BucketStatus: Sendable, Equatable {
  public let bucket: Bucket
  public let spent: Int
  public let limit: Int
  /// Units that can still be granted today: none while the bucket is exhausted.
  public let remaining: Int
  public let resetsAt: Date
  /// The API said that the day's units are used up.
  public let isExhausted: Bool
  /// Units that our count lacked when the API said so; 0 without such a disagreement.
  public let drift: Int
  /// Calls that the API answered although it had said so: a sign that its word was wrong, or no longer holds.
  public let contradictions: Int
  /// The ledger lost data today: nothing is granted before the reset, unless an operator says what is spent.
  public let isDoubted: Bool
  /// How far the store's clock is behind the ledger's time where that is too far: nothing is granted meanwhile. Else zero.
  public let clockBehind: Duration

  public init(
    bucket: Bucket, spent: Int, limit: Int, remaining: Int, resetsAt: Date, isExhausted: Bool, drift: Int,
    contradictions: Int = 0, isDoubted: Bool = false, clockBehind: Duration = .zero
  ) {
    self.bucket = bucket
    self.spent = spent
    self.limit = limit
    self.remaining = remaining
    self.resetsAt = resetsAt
    self.isExhausted = isExhausted
    self.drift = drift
    self.contradictions = contradictions
    self.isDoubted = isDoubted
    self.clockBehind = clockBehind
  }
}
