import JSON

extension Video {
  static let part = "snippet,contentDetails,statistics,status,liveStreamingDetails"
  static let fields =
    "kind,items(id,etag,snippet(publishedAt,channelId,title,description,thumbnails,channelTitle,tags,categoryId,"
    + "liveBroadcastContent,defaultLanguage,defaultAudioLanguage),contentDetails(duration,definition,caption),"
    + "statistics(viewCount,likeCount,commentCount),status(uploadStatus,privacyStatus,license,embeddable,madeForKids),"
    + "liveStreamingDetails(actualStartTime,actualEndTime,scheduledStartTime,scheduledEndTime))"

  init?(_ value: JSONValue) {
    guard let id = value["id"]?.resourceID else { return nil }
    self.init(id: id)
    etag = value["etag"]?.filledString
    if let snippet = value["snippet"] { read(snippet: snippet) }
    if let details = value["contentDetails"] {
      duration = details["duration"]?.filledString
      definition = details["definition"]?.filledString
      captions = details["caption"]?.truth
    }
    if let statistics = value["statistics"] {
      viewCount = statistics["viewCount"]?.count
      likeCount = statistics["likeCount"]?.count
      commentCount = statistics["commentCount"]?.count
    }
    if let status = value["status"] {
      privacyStatus = status["privacyStatus"]?.filledString
      uploadStatus = status["uploadStatus"]?.filledString
      embeddable = status["embeddable"]?.truth
      license = status["license"]?.filledString
      madeForKids = status["madeForKids"]?.truth
    }
    liveStreamingDetails = value["liveStreamingDetails"].flatMap(LiveStreamingDetails.init)
  }

  private mutating func read(snippet: JSONValue) {
    title = snippet["title"]?.string
    description = snippet["description"]?.string
    channelID = snippet["channelId"]?.resourceID
    channelTitle = snippet["channelTitle"]?.filledString
    publishedAt = snippet["publishedAt"]?.time
    if let tags = snippet["tags"], tags.kind == .array { self.tags = tags.elements.compactMap(\.string) }
    categoryID = snippet["categoryId"]?.filledString
    defaultLanguage = snippet["defaultLanguage"]?.filledString
    defaultAudioLanguage = snippet["defaultAudioLanguage"]?.filledString
    liveBroadcastContent = snippet["liveBroadcastContent"]?.filledString
    thumbnails = snippet["thumbnails"]?.thumbnails ?? []
  }
}

extension LiveStreamingDetails {
  init?(_ value: JSONValue) {
    guard value.kind == .object else { return nil }
    self.init(
      actualStartTime: value["actualStartTime"]?.time, actualEndTime: value["actualEndTime"]?.time,
      scheduledStartTime: value["scheduledStartTime"]?.time, scheduledEndTime: value["scheduledEndTime"]?.time)
  }
}
