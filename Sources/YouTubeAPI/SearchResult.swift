/// A hit of a search; texts are plain, without the HTML entities that only this method of the API writes.
public struct SearchResult: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable { case channel, video, playlist }

  public var kind: Kind
  /// The channel's, video's or playlist's id.
  public var id: String
  public var title: String?
  /// Shortened by the API.
  public var description: String?
  public var channelID: String?
  public var channelTitle: String?
  /// RFC 3339 with `Z`.
  public var publishedAt: String?
  public var liveBroadcastContent: String?
  public var thumbnails: [Thumbnail]

  public init(
    kind: Kind, id: String, title: String? = nil, description: String? = nil, channelID: String? = nil, channelTitle: String? = nil,
    publishedAt: String? = nil, liveBroadcastContent: String? = nil, thumbnails: [Thumbnail] = []
  ) {
    self.kind = kind
    self.id = id
    self.title = title
    self.description = description
    self.channelID = channelID
    self.channelTitle = channelTitle
    self.publishedAt = publishedAt
    self.liveBroadcastContent = liveBroadcastContent
    self.thumbnails = thumbnails
  }
}
