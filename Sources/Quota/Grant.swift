/// Units that may be spent: the proof of a reservation, to be given back by `refund` when the call was certainly not made.
public struct Grant: Sendable, Equatable {
  public let bucket: Bucket
  public let cost: Int
  /// The day the units belong to: a refund after midnight must not credit the next one.
  public let day: QuotaDay
  /// Units of the day's limit that nobody has spent yet.
  public let remaining: Int
  /// The ledger that granted; a refund to any other is ignored.
  public let ledger: String
  /// The ledger's time of the grant: what an operator says later about the bucket is not refunded from.
  public let time: Int

  public init(bucket: Bucket, cost: Int, day: QuotaDay, remaining: Int, ledger: String, time: Int) {
    self.bucket = bucket
    self.cost = cost
    self.day = day
    self.remaining = remaining
    self.ledger = ledger
    self.time = time
  }

  /// So many of its units.
  func part(cost: Int, remaining: Int) -> Grant {
    Grant(bucket: bucket, cost: cost, day: day, remaining: remaining, ledger: ledger, time: time)
  }
}
