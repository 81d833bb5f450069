import Quota
import QuotaStores
import Telemetry

/// Says at a worker's start what else would be noticed late: that its ledger may be forgotten, which nobody notices when all who remember
/// end with the server, and that watermarks cannot be used.
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

  static func warn(_ store: any WatermarkStore, _ logger: Logger) async {
    do throws(QuotaStoreError) { try await store.probe() } catch {
      // One that is away may be there when it is needed.
      guard !error.isRetriable else { return }
      logger.error(
        "The watermarks cannot be used: requests with \"since\" may stop the playlists stage, and those that are done are not remembered",
        ["error": .string(error.message)])
    }
  }
}
