import Quota
import QuotaStores
import Telemetry

/// Says at a worker's start that its ledger may be forgotten: nobody notices it when all who remember end with the server.
enum LedgerDurability {
  static func warn(_ store: any QuotaStore, _ logger: Logger) async {
    guard let redis = store as? RedisQuotaStore else { return }
    do throws(QuotaStoreError) {
      guard try await redis.durability().isAppendOnly == false else { return }
      logger.warning(
        "Redis keeps no append-only file: what is spent today is forgotten when it restarts together with all workers",
        ["fix": "Set appendonly yes and appendfsync always in Redis; docs/operations.md says more."])
    } catch {
      logger.debug("Redis was not asked whether it keeps the ledger", ["error": .string(error.message)])
    }
  }
}
