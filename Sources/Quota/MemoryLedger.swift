import Synchronization

/// A ledger in this process's memory, for tests. Several stores on one object behave like several processes.
public final class MemoryLedger: LedgerStorage {
  private let state = Mutex<Ledger?>(nil)

  public init() {}

  /// What is stored now; setting it is what an operator's `FLUSHALL` or a restored backup does.
  public var ledger: Ledger? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  public func update<Result: Sendable>(
    _ body: @escaping @Sendable (inout Ledger?) throws(QuotaStoreError) -> Result
  ) async throws(QuotaStoreError) -> Result {
    try state.withLock { stored throws(QuotaStoreError) in
      var ledger = stored
      let result = try body(&ledger)
      stored = ledger
      return result
    }
  }

  public func probe() async {}

  public func close() async {}
}
