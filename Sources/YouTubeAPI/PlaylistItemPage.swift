/// One page of a playlist's entries, in the playlist's order.
public struct PlaylistItemPage: Sendable, Equatable {
  public var items: [PlaylistItem]
  /// `nil` on the last page.
  public var nextPageToken: String?
  /// The API's own count; it may differ from the number of entries that can be read.
  public var totalResults: Int?
  /// Entries that could not be read, and are missing from `items`.
  public var skipped: Int
  public var etag: String?

  public init(
    items: [PlaylistItem], nextPageToken: String? = nil, totalResults: Int? = nil, skipped: Int = 0, etag: String? = nil
  ) {
    self.items = items
    self.nextPageToken = nextPageToken
    self.totalResults = totalResults
    self.skipped = skipped
    self.etag = etag
  }
}
