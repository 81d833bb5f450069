import FoundationEssentials
import Telemetry

extension QuotaStoreError {
  /// How a ledger differs from the one seen before.
  public enum DataLoss: String, Sendable {
    case missing, replaced, rolledBack
    /// Another process has noticed one of these.
    case doubted
  }

  public static func dataLoss(_ loss: DataLoss) -> QuotaStoreError {
    let what =
      switch loss {
      case .missing: "The quota ledger is gone from its store"
      case .replaced: "The quota store holds another ledger than before"
      case .rolledBack: "The quota store went back to an older state of the ledger"
      case .doubted: "Another worker has noticed that the quota store lost data"
      }
    return QuotaStoreError(
      .dataLoss,
      "\(what), so today's spending is unknown, and nothing is spent until the reset. To go on before, look up the units used today in "
        + "the API console and run `tubeline quota set default <units>` (and the other buckets); "
        + "QUOTA_ON_DATA_LOSS=reset goes on without asking.")
  }

  public static func clockBehind(now: Int, seen: Int) -> QuotaStoreError {
    QuotaStoreError(
      .clockBehind,
      "The quota store's clock says \(Timestamp.rfc3339(Date(milliseconds: now))), but the ledger has seen "
        + "\(Timestamp.rfc3339(Date(milliseconds: seen))). Set the clock right; if the later time was the wrong one, "
        + "`tubeline quota set default <units>` makes the ledger take the present time.")
  }

  public static let closed = QuotaStoreError(.closed, "The quota store is closed.")

  static func invalidCost(_ cost: Int) -> QuotaStoreError {
    QuotaStoreError(.invalid, "A reservation of \(cost) units was asked for; allowed are 1 to \(QuotaPolicy.unitsRange.upperBound).")
  }
}

extension QuotaPolicy {
  /// Throws `invalid` for a cost that no ledger accepts.
  public static func check(cost: Int) throws(QuotaStoreError) {
    guard cost >= 1, cost <= unitsRange.upperBound else { throw .invalidCost(cost) }
  }
}
