/// A video resource. `nil` means that the API did not say: hidden counts are absent, never 0.
public struct Video: Sendable, Equatable {
  public var id: String
  public var etag: String?
  public var title: String?
  public var description: String?
  public var channelID: String?
  public var channelTitle: String?
  /// RFC 3339 with `Z`.
  public var publishedAt: String?
  public var tags: [String]?
  public var categoryID: String?
  public var defaultLanguage: String?
  public var defaultAudioLanguage: String?
  /// `none`, `upcoming`, `live`, `completed`.
  public var liveBroadcastContent: String?
  public var thumbnails: [Thumbnail] = []
  /// As the API wrote it: `PT4M13S`; `VideoDuration` reads it.
  public var duration: String?
  /// `hd`, `sd`.
  public var definition: String?
  public var captions: Bool?
  public var viewCount: Int?
  public var likeCount: Int?
  public var commentCount: Int?
  /// `public`, `unlisted`, `private`.
  public var privacyStatus: String?
  public var uploadStatus: String?
  public var embeddable: Bool?
  /// `youtube`, `creativeCommon`.
  public var license: String?
  public var madeForKids: Bool?
  public var liveStreamingDetails: LiveStreamingDetails?

  public init(id: String) { self.id = id }
}
