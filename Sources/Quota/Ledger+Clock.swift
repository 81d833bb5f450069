extension Ledger {
  /// Throws `clockBehind` where the ledger has seen a much later time: nothing is granted then.
  public func checkClock(_ now: Int) throws(QuotaStoreError) {
    guard now >= time - Self.clockTolerance else { throw .clockBehind(now: now, seen: time) }
  }

  /// How far `now` is behind what the ledger has seen; zero while that is tolerated.
  func clockBehind(at now: Int) -> Duration {
    now >= time - Self.clockTolerance ? .zero : .milliseconds(time - now)
  }
}
