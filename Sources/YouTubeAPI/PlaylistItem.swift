/// An entry of a playlist. Placeholder texts of private and deleted videos are left out: `nil` means that the API did not say.
public struct PlaylistItem: Sendable, Equatable {
  public var videoID: String
  /// Counted from 0.
  public var position: Int?
  public var title: String?
  public var description: String?
  /// When the video was added to the playlist, RFC 3339 with `Z`.
  public var addedAt: String?
  /// When the video itself was published, RFC 3339 with `Z`.
  public var videoPublishedAt: String?
  /// The API's own word: `public`, `unlisted`, `private`, `privacyStatusUnspecified`.
  public var privacyStatus: String?
  /// The channel that owns the video, not the one that owns the playlist.
  public var channelID: String?
  public var channelTitle: String?
  public var thumbnails: [Thumbnail]
  public var availability: Availability

  public init(
    videoID: String, position: Int? = nil, title: String? = nil, description: String? = nil, addedAt: String? = nil,
    videoPublishedAt: String? = nil, privacyStatus: String? = nil, channelID: String? = nil, channelTitle: String? = nil,
    thumbnails: [Thumbnail] = [], availability: Availability = .unknown
  ) {
    self.videoID = videoID
    self.position = position
    self.title = title
    self.description = description
    self.addedAt = addedAt
    self.videoPublishedAt = videoPublishedAt
    self.privacyStatus = privacyStatus
    self.channelID = channelID
    self.channelTitle = channelTitle
    self.thumbnails = thumbnails
    self.availability = availability
  }
}
