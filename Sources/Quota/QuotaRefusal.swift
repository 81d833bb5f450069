public import FoundationEssentials

/// Why units were not granted.
public enum QuotaRefusal: Error, Sendable, Equatable {
  case cancelled
  /// The ledger grants nothing before this time.
  case notBefore(Date)
}
