import Quota
import QuotaStores

/// What a later `--since last` takes for known.
extension HarvestRun {
  /// The workers' watermarks are only the broker's word, which ends with this process: they count when the records are written.
  func keepWatermarks() async {
    let lists = state.completedLists
    guard let scopes = backend.watermarkScopes, !backend.hasTemporaryLedger, !lists.isEmpty else { return }
    do throws(QuotaStoreError) {
      let pending = try await QuotaStoreURL.openWatermarks(backend.quotaStore, scope: scopes.pending)
      let own = try await QuotaStoreURL.openWatermarks(backend.quotaStore, scope: scopes.own)
      for list in lists {
        guard let watermark = try await pending.read(list).watermark else { continue }
        try await own.advance(
          list,
          to: CompletedListing(
            ids: watermark.ids, unavailable: watermark.unavailable, startedAt: watermark.startedAt,
            isFullPass: watermark.fullPassAt == watermark.startedAt))
      }
      await pending.close()
      await own.close()
    } catch {
      printer.message("What was harvested cannot be remembered: the next --since last will harvest it again. \(error.message)")
    }
  }
}
