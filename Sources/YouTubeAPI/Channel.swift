/// A channel resource. `nil` means that the API did not say.
public struct Channel: Sendable, Equatable {
  public var id: String
  public var etag: String?
  public var title: String?
  public var description: String?
  public var customUrl: String?
  /// RFC 3339 with `Z`.
  public var publishedAt: String?
  public var country: String?
  public var thumbnails: [Thumbnail]
  public var uploadsPlaylistID: String?
  public var viewCount: Int?
  /// Rounded by the API to three digits; `nil` where it is hidden.
  public var subscriberCount: Int?
  public var hiddenSubscriberCount: Bool?
  /// Public videos only.
  public var videoCount: Int?

  public init(
    id: String, etag: String? = nil, title: String? = nil, description: String? = nil, customUrl: String? = nil,
    publishedAt: String? = nil, country: String? = nil, thumbnails: [Thumbnail] = [], uploadsPlaylistID: String? = nil,
    viewCount: Int? = nil, subscriberCount: Int? = nil, hiddenSubscriberCount: Bool? = nil, videoCount: Int? = nil
  ) {
    self.id = id
    self.etag = etag
    self.title = title
    self.description = description
    self.customUrl = customUrl
    self.publishedAt = publishedAt
    self.country = country
    self.thumbnails = thumbnails
    self.uploadsPlaylistID = uploadsPlaylistID
    self.viewCount = viewCount
    self.subscriberCount = subscriberCount
    self.hiddenSubscriberCount = hiddenSubscriberCount
    self.videoCount = videoCount
  }
}
