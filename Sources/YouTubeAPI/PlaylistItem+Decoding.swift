import JSON

extension PlaylistItem {
  static let part = "snippet,contentDetails,status"
  static let fields =
    "kind,etag,nextPageToken,pageInfo/totalResults,items(snippet(publishedAt,title,description,thumbnails,position,"
    + "resourceId/videoId,videoOwnerChannelId,videoOwnerChannelTitle),contentDetails(videoId,videoPublishedAt),status/privacyStatus)"

  init?(_ value: JSONValue) {
    let snippet = value["snippet"]
    let details = value["contentDetails"]
    guard let id = details?["videoId"]?.resourceID ?? snippet?["resourceId"]?["videoId"]?.resourceID else { return nil }
    self.init(videoID: id)
    if let snippet {
      position = snippet["position"]?.count
      title = snippet["title"]?.string
      description = snippet["description"]?.string
      addedAt = snippet["publishedAt"]?.time
      channelID = snippet["videoOwnerChannelId"]?.resourceID
      channelTitle = snippet["videoOwnerChannelTitle"]?.filledString
      thumbnails = snippet["thumbnails"]?.thumbnails ?? []
    }
    videoPublishedAt = details?["videoPublishedAt"]?.time
    privacyStatus = value["status"]?["privacyStatus"]?.filledString
    decideAvailability()
  }

  // The API marks a vanished video by a placeholder: fixed texts, no owner, no pictures, no date. The title alone proves nothing, as
  // a public video may really be called "Private video".
  private mutating func decideAvailability() {
    let isBare = channelID == nil && thumbnails.isEmpty && videoPublishedAt == nil
    switch (privacyStatus, title) {
    case (_, "Deleted video") where isBare: availability = .deleted
    case ("private", _): availability = .private
    case (_, "Private video") where isBare: availability = .private
    case ("public", _): availability = .public
    case ("unlisted", _): availability = .unlisted
    default: availability = .unknown
    }
    guard availability == .private || availability == .deleted else { return }
    guard isBare || title == "Private video" else { return }
    title = nil
    description = nil
    thumbnails = []
  }
}
