import Messages
import YouTubeAPI

extension VideoRecord {
  /// What the list says of an entry, and what videos.list says of its video.
  ///
  /// - Parameter found: the looked-up videos by id; `nil` when there was no look-up.
  init(_ item: PlaylistPage.Item, _ listing: Listing, _ found: [String: Video]?, fetchedAt: String) {
    let video = found?[item.videoID]
    var availability = item.availability
    if let found, availability.mayBeLookedUp {
      // An id that videos.list leaves out was private, deleted or blocked meanwhile: which of them it does not tell.
      availability = found[item.videoID].map { $0.availability(listedAs: item.availability) } ?? .unknown
    }
    self.init(
      videoID: item.videoID, availability: availability, source: listing.source, requestID: listing.requestID, fetchedAt: fetchedAt)
    addedAt = item.addedAt
    playlistID = listing.playlistID
    position = item.position
    guard availability.mayBeLookedUp else { return }
    title = video?.title ?? item.title
    description = video?.description ?? item.description
    publishedAt = video?.publishedAt ?? item.publishedAt
    channelID = video?.channelID ?? item.channelID ?? listing.channelID
    channelTitle = video?.channelTitle ?? item.channelTitle ?? listing.channelTitle
    thumbnails = video.map { ThumbnailSet($0.thumbnails) } ?? item.thumbnails
    if thumbnails.isEmpty { thumbnails = item.thumbnails }
    if let video { add(video) }
  }

  private mutating func add(_ video: Video) {
    duration = video.duration
    durationSeconds = video.duration.flatMap(VideoDuration.seconds)
    definition = video.definition
    captions = video.captions
    tags = video.tags ?? []
    categoryID = video.categoryID
    defaultLanguage = video.defaultLanguage
    defaultAudioLanguage = video.defaultAudioLanguage
    liveBroadcastContent = video.liveBroadcastContent
    liveStreaming = video.liveStreamingDetails.map {
      LiveStreaming(
        scheduledStartTime: $0.scheduledStartTime, scheduledEndTime: $0.scheduledEndTime, actualStartTime: $0.actualStartTime,
        actualEndTime: $0.actualEndTime)
    }
    madeForKids = video.madeForKids
    embeddable = video.embeddable
    license = video.license
    statistics = Statistics(viewCount: video.viewCount, likeCount: video.likeCount, commentCount: video.commentCount)
    etag = video.etag
  }
}

extension Video {
  fileprivate func availability(listedAs listed: Messages.Availability) -> Messages.Availability {
    if let status = privacyStatus.flatMap(Messages.Availability.init(rawValue:)) { return status }
    // videos.list answers with a video only when it can be watched.
    return listed == .unknown ? .public : listed
  }
}
