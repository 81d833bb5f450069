public import Quota
import Redis

/// Watermarks in Redis or Valkey, beside the ledger: `<prefix>watermark:<scope>:<list>`, a hash that expires when it may be kept no longer.
public final class RedisWatermarkStore: WatermarkStore {
  private let connection: RedisConnection
  private let prefix: String
  private let script: WatermarkScript

  /// `scope` separates installations that share a server and a ledger.
  public convenience init(url: String, scope: String, prefix: String = "tubeline:quota:") throws(QuotaStoreError) {
    try self.init(url: url, scope: scope, prefix: prefix, script: WatermarkScript())
  }

  init(url: String, scope: String, prefix: String, script: WatermarkScript) throws(QuotaStoreError) {
    do throws(RedisError) { connection = RedisConnection(try RedisURL(url)) } catch { throw QuotaStoreError(redis: error) }
    self.prefix = "\(prefix)watermark:\(scope):"
    self.script = script
  }

  public func read(_ list: String) async throws(QuotaStoreError) -> WatermarkReading {
    let values = try await run(script.read, list, []).array ?? []
    guard values.count == 6, let now = values[0].int else {
      throw QuotaStoreError(.refused, "The quota store answered something that is no watermark's reply.")
    }
    // Absent is empty; anything else that is no number is implausible.
    let times = values[1...3].map { value in value.string == "" ? nil : value.int ?? -1 }
    let watermark = times[0].map { started in
      Watermark(
        ids: WatermarkText.ids(values[4].string), unavailable: Set(WatermarkText.ids(values[5].string)), startedAt: started,
        completedAt: times[1] ?? started)
    }
    let record = WatermarkRecord(watermark: watermark, fullPassAt: times[2])
    guard record.isPlausible else { throw .foreignWatermark(in: prefix + list) }
    return record.reading(at: now)
  }

  public func advance(_ list: String, to listing: CompletedListing) async throws(QuotaStoreError) {
    _ = try await run(
      script.advance, list,
      [
        String(listing.startedAt), listing.isFullPass ? "1" : "0", WatermarkText.text(listing.ids),
        WatermarkText.text(listing.unavailable.sorted()), String(Watermark.lifetime),
      ])
  }

  public func bar(_ list: String, startedUntil time: Int) async throws(QuotaStoreError) {
    _ = try await run(script.bar, list, [String(time), String(Watermark.lifetime)])
  }

  public func probe() async throws(QuotaStoreError) { _ = try await run(script.probe, "probe", []) }

  public func close() async { await connection.close() }

  private func run(_ script: RedisScript, _ list: String, _ arguments: [String]) async throws(QuotaStoreError) -> RedisValue {
    do throws(RedisError) {
      return try await connection.evaluate(script, keys: [prefix + list], arguments: arguments)
    } catch {
      let told = QuotaStoreError(redis: error, key: prefix + list)
      throw error.isWrongType ? QuotaStoreError(.foreignValue, told.message, underlying: error) : told
    }
  }
}
