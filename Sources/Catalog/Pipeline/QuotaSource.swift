import Quota
import QuotaStores
import Telemetry

/// The ledger that all workers share, for looking at.
protocol QuotaSource: Sendable {
  /// Every bucket; throws when the ledger does not answer.
  func status() async throws -> [BucketStatus]
}

/// Opens the ledger when it is first asked for, so that the catalogue starts without it, too.
actor LedgerQuotaSource: QuotaSource {
  private let url: String
  private let policy: QuotaPolicy
  private var store: (any QuotaStore)?

  init(url: String, policy: QuotaPolicy) {
    self.url = url
    self.policy = policy
  }

  func status() async throws -> [BucketStatus] {
    if let store { return try await store.status(policy) }
    let opened = try await QuotaStoreURL.open(url, calendar: .pacific())
    // Another call may have opened it meanwhile.
    if let store {
      await opened.close()
      return try await store.status(policy)
    }
    store = opened
    return try await opened.status(policy)
  }

  func close() async {
    await store?.close()
    store = nil
  }
}
