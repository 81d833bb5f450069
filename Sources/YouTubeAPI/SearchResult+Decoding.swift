import JSON

extension SearchResult {
  static let part = "snippet"
  static let fields =
    "kind,nextPageToken,pageInfo/totalResults,items(id,snippet(publishedAt,channelId,title,description,thumbnails,channelTitle,"
    + "liveBroadcastContent))"

  init?(_ value: JSONValue) {
    guard let resource = value["id"], let (kind, id) = Self.target(resource) else { return nil }
    self.init(kind: kind, id: id)
    guard let snippet = value["snippet"] else { return }
    title = snippet["title"]?.string.map(PlainText.unescaped)
    description = snippet["description"]?.string.map(PlainText.unescaped)
    channelID = snippet["channelId"]?.resourceID
    channelTitle = snippet["channelTitle"]?.filledString.map(PlainText.unescaped)
    publishedAt = snippet["publishedAt"]?.time
    liveBroadcastContent = snippet["liveBroadcastContent"]?.filledString
    thumbnails = snippet["thumbnails"]?.thumbnails ?? []
  }

  private static func target(_ resource: JSONValue) -> (Kind, String)? {
    let channel = resource["channelId"]?.resourceID.map { (Kind.channel, $0) }
    let video = resource["videoId"]?.resourceID.map { (Kind.video, $0) }
    let playlist = resource["playlistId"]?.resourceID.map { (Kind.playlist, $0) }
    switch resource["kind"]?.string {
    case "youtube#channel": return channel
    case "youtube#video": return video
    case "youtube#playlist": return playlist
    case nil: return video ?? channel ?? playlist
    default: return nil
    }
  }
}
