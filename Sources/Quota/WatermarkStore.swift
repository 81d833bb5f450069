/// The watermarks of uploads lists, which all workers of an installation share. Every operation is one atomic step.
///
/// Losing one costs a full pass and nothing else.
public protocol WatermarkStore: Sendable {
  /// No watermark: no listing of the list has been completed within `Watermark.lifetime`.
  func read(_ list: String) async throws(QuotaStoreError) -> WatermarkReading

  /// Takes what a completed listing knew. Doing it again changes nothing, and a watermark never moves back: a listing that was begun
  /// before the one that moved it last can only tell of its full pass.
  func advance(_ list: String, to listing: CompletedListing) async throws(QuotaStoreError)

  /// Listings of this list that were begun until then are not taken: the one that began then has left records out. If its watermark is there
  /// already, it goes.
  func bar(_ list: String, startedUntil time: Int) async throws(QuotaStoreError)

  /// Tries what the other operations do, without touching a watermark: throws what hinders them all.
  func probe() async throws(QuotaStoreError)

  /// Operations after this throw `closed`.
  func close() async
}

/// One list's watermark and every decision about it. The Redis scripts decide the same in Lua.
public struct WatermarkRecord: Sendable, Equatable {
  public var watermark: Watermark?
  /// Kept beside the watermark, since a full pass may end after later listings.
  public var fullPassAt: Int?
  public var barredUntil = 0

  public init(watermark: Watermark? = nil, fullPassAt: Int? = nil, barredUntil: Int = 0) {
    self.watermark = watermark
    self.fullPassAt = fullPassAt
    self.barredUntil = barredUntil
  }

  /// Else something other than a watermark store wrote it.
  public var isPlausible: Bool {
    [watermark?.startedAt, watermark?.completedAt, fullPassAt, barredUntil].allSatisfy { $0.map(Ledger.range.contains) ?? true }
  }

  public func reading(at now: Int) -> WatermarkReading {
    guard var current = watermark, now - current.startedAt < Watermark.lifetime else { return WatermarkReading(now: now, watermark: nil) }
    current.fullPassAt = fullPassAt
    return WatermarkReading(now: now, watermark: current)
  }

  /// A time to come was told by a clock that has been set back; it does not count.
  public mutating func advance(to listing: CompletedListing, at now: Int) {
    guard listing.startedAt > barredUntil || barredUntil > now else { return }
    if listing.isFullPass, (fullPassAt.map { $0 > now } ?? true) || listing.startedAt > fullPassAt ?? 0 { fullPassAt = listing.startedAt }
    if let watermark, watermark.startedAt >= listing.startedAt, watermark.startedAt <= now { return }
    watermark = Watermark(
      ids: listing.ids, unavailable: listing.unavailable, startedAt: listing.startedAt, completedAt: now)
  }

  public mutating func bar(startedUntil time: Int, at now: Int) {
    barredUntil = barredUntil > now ? time : max(barredUntil, time)
    // Another process, which did not know, has completed that listing meanwhile.
    guard watermark?.startedAt == time else { return }
    watermark = nil
    if fullPassAt == time { fullPassAt = nil }
  }
}
