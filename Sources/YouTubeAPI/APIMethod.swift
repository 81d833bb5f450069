/// The methods of the YouTube Data API v3 that are called; the raw value is the name in the API's documents and in the quota table.
public enum APIMethod: String, Sendable, CaseIterable {
  case channelsList = "channels.list"
  case playlistItemsList = "playlistItems.list"
  case videosList = "videos.list"
  case searchList = "search.list"

  /// The path below the base address.
  var path: String {
    switch self {
    case .channelsList: "/youtube/v3/channels"
    case .playlistItemsList: "/youtube/v3/playlistItems"
    case .videosList: "/youtube/v3/videos"
    case .searchList: "/youtube/v3/search"
    }
  }

  /// The `kind` of a good answer.
  var responseKind: String {
    switch self {
    case .channelsList: "youtube#channelListResponse"
    case .playlistItemsList: "youtube#playlistItemListResponse"
    case .videosList: "youtube#videoListResponse"
    case .searchList: "youtube#searchListResponse"
    }
  }
}
