extension Ledger {
  /// The numbers that a ledger holds: Lua counts them exactly, and no sum or product of theirs overflows here.
  public static let range = 0...(1 << 53)
  // In milliseconds, four years: times any number of units it fits into an integer.
  fileprivate static let longestDay = 1 << 37

  /// Throws `refused` for what no ledger wrote. Where that is, nothing may be spent.
  public func check() throws(QuotaStoreError) {
    let numbers = [sequence, time, doubtedUntil, writersSince] + writers.values.flatMap { [$0.sequence, $0.time] }
    guard numbers.allSatisfy(Self.range.contains), accounts.values.allSatisfy(\.isPlausible) else {
      throw QuotaStoreError(
        .refused,
        "The quota store holds numbers that no ledger wrote. Delete it (the key in Redis, or the SQLite file), then say what is used today: "
          + "`tubeline quota set default <units>`.")
    }
  }
}

extension Ledger.Account {
  fileprivate var isPlausible: Bool {
    [day.start, day.end, spent, exhaustedUntil, drift, contradictions, nextRequest, confirmedAt].allSatisfy(Ledger.range.contains)
      && (1...Ledger.longestDay).contains(day.length)
  }
}
