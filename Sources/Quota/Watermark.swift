/// What the last completed listing of an uploads list knew. Times are milliseconds since 1970.
///
/// Entries are known by their ids, not by their dates: the list is in the order of the uploads, in which a video that was published late
/// has a later date than those above it, and an id stays what it is when its neighbours are deleted.
public struct Watermark: Sendable, Equatable {
  /// The list's first entries, the newest first.
  public var ids: [String]
  /// Those of the ids that were private or deleted.
  public var unavailable: Set<String>
  /// When that listing was begun.
  public var startedAt: Int
  /// When its records were delivered.
  public var completedAt: Int
  /// When the last listing was begun that read the whole list; `nil` when none is known.
  public var fullPassAt: Int?

  public init(ids: [String], unavailable: Set<String> = [], startedAt: Int, completedAt: Int, fullPassAt: Int? = nil) {
    self.ids = ids
    self.unavailable = unavailable
    self.startedAt = startedAt
    self.completedAt = completedAt
    self.fullPassAt = fullPassAt
  }

  /// Data fetched with an API key, ids included, may not be kept for more than 30 days (Developer Policies III.E.4.d).
  public static let lifetime = 29 * 86_400_000
}

/// A listing whose records are delivered, for the watermark of its list.
public struct CompletedListing: Sendable, Equatable {
  public var ids: [String]
  public var unavailable: Set<String>
  /// By the store's clock, as `WatermarkReading.now` told it when the listing was begun.
  public var startedAt: Int
  public var isFullPass: Bool

  public init(ids: [String], unavailable: Set<String> = [], startedAt: Int, isFullPass: Bool) {
    self.ids = ids
    self.unavailable = unavailable
    self.startedAt = startedAt
    self.isFullPass = isFullPass
  }
}

/// The watermark at one moment, and the moment.
public struct WatermarkReading: Sendable, Equatable {
  /// The store's time in milliseconds since 1970: it orders listings, whatever the clocks of the workers say.
  public var now: Int
  public var watermark: Watermark?

  public init(now: Int, watermark: Watermark?) {
    self.now = now
    self.watermark = watermark
  }
}
