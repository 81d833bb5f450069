import JSON

extension Channel {
  static let part = "snippet,contentDetails,statistics"
  static let fields =
    "kind,items(id,etag,snippet(title,description,customUrl,publishedAt,country,thumbnails),"
    + "contentDetails/relatedPlaylists/uploads,statistics(viewCount,subscriberCount,hiddenSubscriberCount,videoCount))"

  init?(_ value: JSONValue) {
    guard let id = value["id"]?.resourceID else { return nil }
    self.init(id: id, etag: value["etag"]?.filledString)
    if let snippet = value["snippet"] {
      title = snippet["title"]?.string
      description = snippet["description"]?.string
      customUrl = snippet["customUrl"]?.filledString
      publishedAt = snippet["publishedAt"]?.time
      country = snippet["country"]?.filledString
      thumbnails = snippet["thumbnails"]?.thumbnails ?? []
    }
    uploadsPlaylistID = value["contentDetails"]?["relatedPlaylists"]?["uploads"]?.resourceID
    if let statistics = value["statistics"] {
      viewCount = statistics["viewCount"]?.count
      hiddenSubscriberCount = statistics["hiddenSubscriberCount"]?.truth
      // A hidden count may come as 0, which would read as a fact.
      subscriberCount = hiddenSubscriberCount == true ? nil : statistics["subscriberCount"]?.count
      videoCount = statistics["videoCount"]?.count
    }
  }
}
