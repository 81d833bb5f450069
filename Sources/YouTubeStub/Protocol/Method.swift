/// A method of the API: its path, parameters, parts, the names in its answer, and its quota bucket.
struct Method: Sendable {
  let name: String
  /// The last part of the path below /youtube/v3/.
  let path: String
  /// As in error domains: `youtube.playlistItem`.
  let resource: String
  let parameters: Set<String>
  let parts: Set<String>
  /// Parts that only the owner may read.
  let ownerParts: Set<String>
  let schema: FieldMask
  let bucket: QuotaBuckets.Bucket

  private init(
    _ name: String, resource: String, bucket: QuotaBuckets.Bucket = .default, parameters: [String], parts: [String],
    ownerParts: Set<String> = [],
    item: String
  ) {
    self.name = name
    self.resource = resource
    self.bucket = bucket
    self.ownerParts = ownerParts
    path = String(name.prefix { $0 != "." })
    self.parameters = Set(parameters + ["part", "maxResults", "pageToken"])
    self.parts = Set(parts)
    let list = "kind,etag,eventId,nextPageToken,prevPageToken,regionCode,visitorId,tokenPagination,pageInfo(totalResults,resultsPerPage)"
    schema = (try? FieldMask.parse("\(list),items(kind,etag,id\(item))")) ?? FieldMask([])
  }

  private static let pictures: String = {
    let sizes = ["default", "medium", "high", "standard", "maxres", "fhd", "qhd", "uhd", "shortsAspectRatio"]
    return "thumbnails(\(sizes.map { "\($0)(url,width,height)" }.joined(separator: ",")))"
  }()

  private static let localized = "localized(title,description)"

  static let channels = Method(
    "channels.list", resource: "channel",
    parameters: [
      "id", "forHandle", "forUsername", "mine", "managedByMe", "mySubscribers", "categoryId", "hl", "onBehalfOfContentOwner",
    ],
    parts: [
      "id", "snippet", "contentDetails", "statistics", "status", "topicDetails", "brandingSettings", "localizations", "contentOwnerDetails",
    ],
    ownerParts: ["auditDetails"],
    item: """
      ,snippet(title,description,customUrl,publishedAt,\(pictures),defaultLanguage,\(localized),country),\
      contentDetails(relatedPlaylists(likes,uploads,favorites,watchHistory,watchLater)),\
      statistics(viewCount,subscriberCount,hiddenSubscriberCount,videoCount,commentCount),\
      status(privacyStatus,isLinked,longUploadsStatus,madeForKids,selfDeclaredMadeForKids,isChannelMonetizationEnabled),\
      topicDetails(topicIds,topicCategories),brandingSettings,localizations,contentOwnerDetails,auditDetails
      """)

  static let playlistItems = Method(
    "playlistItems.list", resource: "playlistItem", parameters: ["id", "playlistId", "videoId", "onBehalfOfContentOwner"],
    parts: ["id", "snippet", "contentDetails", "status"],
    item: """
      ,snippet(publishedAt,channelId,title,description,\(pictures),channelTitle,playlistId,position,\
      resourceId(kind,videoId,channelId,playlistId),videoOwnerChannelTitle,videoOwnerChannelId),\
      contentDetails(videoId,videoPublishedAt,startAt,endAt,note),status(privacyStatus)
      """)

  static let videos = Method(
    "videos.list", resource: "video",
    parameters: [
      "id", "chart", "myRating", "hl", "locale", "maxHeight", "maxWidth", "onBehalfOfContentOwner", "regionCode", "videoCategoryId",
    ],
    parts: [
      "id", "snippet", "contentDetails", "status", "statistics", "player", "topicDetails", "recordingDetails", "liveStreamingDetails",
      "localizations", "paidProductPlacementDetails", "ageGating", "brandPartner",
    ],
    ownerParts: ["fileDetails", "processingDetails", "suggestions"],
    item: """
      ,snippet(publishedAt,channelId,title,description,\(pictures),channelTitle,tags,categoryId,liveBroadcastContent,defaultLanguage,\
      \(localized),defaultAudioLanguage),\
      contentDetails(duration,dimension,definition,caption,licensedContent,regionRestriction,countryRestriction,contentRating,projection,\
      hasCustomThumbnail),\
      status(uploadStatus,failureReason,rejectionReason,privacyStatus,publishAt,license,embeddable,publicStatsViewable,madeForKids,\
      selfDeclaredMadeForKids,containsSyntheticMedia),\
      statistics(viewCount,likeCount,dislikeCount,favoriteCount,commentCount),player,\
      topicDetails(topicIds,relevantTopicIds,topicCategories),recordingDetails,\
      liveStreamingDetails(actualStartTime,actualEndTime,scheduledStartTime,scheduledEndTime,concurrentViewers,activeLiveChatId),\
      localizations,paidProductPlacementDetails(hasPaidProductPlacement),ageGating,brandPartner,fileDetails,processingDetails,suggestions
      """)

  static let playlists = Method(
    "playlists.list", resource: "playlist",
    parameters: ["id", "channelId", "mine", "hl", "onBehalfOfContentOwner", "onBehalfOfContentOwnerChannel"],
    parts: ["id", "snippet", "status", "contentDetails", "player", "localizations"],
    item: """
      ,snippet(publishedAt,channelId,title,description,\(pictures),channelTitle,defaultLanguage,tags,thumbnailVideoId,\(localized)),\
      status(privacyStatus,podcastStatus),contentDetails(itemCount),player(embedHtml),localizations
      """)

  static let search = Method(
    "search.list", resource: "search", bucket: .search,
    parameters: [
      "q", "channelId", "channelType", "eventType", "forContentOwner", "forDeveloper", "forMine", "location", "locationRadius",
      "onBehalfOfContentOwner", "order", "publishedAfter", "publishedBefore", "regionCode", "relevanceLanguage", "safeSearch", "topicId",
      "type",
      "videoCaption", "videoCategoryId", "videoDefinition", "videoDimension", "videoDuration", "videoEmbeddable", "videoLicense",
      "videoPaidProductPlacement", "videoSyndicated", "videoType",
    ],
    parts: ["id", "snippet"],
    item: """
      (kind,videoId,channelId,playlistId),snippet(publishedAt,channelId,title,description,\(pictures),channelTitle,\
      liveBroadcastContent,publishTime)
      """)

  static let all = [channels, playlistItems, videos, playlists, search]
}
