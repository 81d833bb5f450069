/// What one call of an API method costs: units of one bucket
/// (https://developers.google.com/youtube/v3/determine_quota_cost).
public struct CallCost: Sendable, Equatable {
  public let bucket: Bucket
  public let units: Int

  public init(bucket: Bucket, units: Int) {
    self.bucket = bucket
    self.units = units
  }

  /// Method → bucket and cost; a further page of a listing is a further call.
  public static let table: [String: CallCost] = [
    "channels.list": CallCost(bucket: .default, units: 1),
    "playlistItems.list": CallCost(bucket: .default, units: 1),
    "playlists.list": CallCost(bucket: .default, units: 1),
    "videos.list": CallCost(bucket: .default, units: 1),
    "search.list": CallCost(bucket: .search, units: 1),
    "videos.batchGetStats": CallCost(bucket: .batchGetStats, units: 1),
  ]

  /// The cost of `method`, such as `channels.list`; `nil` for a method that the table does not know.
  public static func of(_ method: String) -> CallCost? { table[method] }
}
