/// Keeps one ledger and changes it in atomic steps.
public protocol LedgerStorage: Sendable {
  /// Runs `body` on the stored ledger (`nil`: there is none) and keeps what it leaves, or nothing if it throws.
  ///
  /// No other process or task reads or changes the ledger meanwhile, also not by a second object on the same storage.
  func update<Result: Sendable>(
    _ body: @escaping @Sendable (inout Ledger?) throws(QuotaStoreError) -> Result
  ) async throws(QuotaStoreError) -> Result

  /// Writes and keeps something that is no part of the ledger; throws where a ledger that was changed could not be kept.
  func probe() async throws(QuotaStoreError)

  func close() async
}
