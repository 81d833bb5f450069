public import FoundationEssentials

/// A ledger's answer.
public enum Reservation: Sendable, Equatable {
  case granted(Grant)
  case denied(Denial)
}

/// Why nothing was granted, and when to ask again.
public struct Denial: Error, Sendable, Equatable {
  public enum Reason: String, Sendable, CaseIterable {
    /// The day's units are spent, by our count.
    case usedUp
    /// The API said that they are, whatever we count.
    case exhaustedByAPI
    /// What is left belongs to other stages.
    case reserve
    /// Even pacing: the units accrue later today.
    case pacing
    case requestsPerMinute
  }

  public let bucket: Bucket
  public let reason: Reason
  public let retryAfter: Duration
  /// The same moment by the store's clock.
  public let until: Date
  public let remaining: Int
  public let day: QuotaDay

  public init(bucket: Bucket, reason: Reason, at time: Int, until: Int, remaining: Int, day: QuotaDay) {
    self.bucket = bucket
    self.reason = reason
    self.retryAfter = .milliseconds(max(0, until - time))
    self.until = Date(milliseconds: until)
    self.remaining = remaining
    self.day = day
  }
}
