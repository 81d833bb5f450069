public import JSON

/// One video (topic video-records). Fields that the API did not tell are absent.
public struct VideoRecord: Payload, Equatable {
  public static let topic = Topic.videoRecords
  public static let kind: StaticString = "video-record"

  public struct Statistics: Sendable, Equatable {
    public var viewCount: Int?
    public var likeCount: Int?
    public var commentCount: Int?

    public init(viewCount: Int? = nil, likeCount: Int? = nil, commentCount: Int? = nil) {
      self.viewCount = viewCount
      self.likeCount = likeCount
      self.commentCount = commentCount
    }

    var isEmpty: Bool { viewCount == nil && likeCount == nil && commentCount == nil }
  }

  public struct LiveStreaming: Sendable, Equatable {
    public var scheduledStartTime: String?
    public var scheduledEndTime: String?
    public var actualStartTime: String?
    public var actualEndTime: String?

    public init(
      scheduledStartTime: String? = nil, scheduledEndTime: String? = nil, actualStartTime: String? = nil, actualEndTime: String? = nil
    ) {
      self.scheduledStartTime = scheduledStartTime
      self.scheduledEndTime = scheduledEndTime
      self.actualStartTime = actualStartTime
      self.actualEndTime = actualEndTime
    }
  }

  public var videoID: String
  public var channelID: String?
  public var channelTitle: String?
  public var title: String?
  public var description: String?
  public var publishedAt: String?
  public var addedAt: String?
  public var playlistID: String?
  public var position: Int?
  public var availability: Availability
  public var thumbnails = ThumbnailSet()
  /// ISO 8601 as the API wrote it, and in seconds.
  public var duration: String?
  public var durationSeconds: Int?
  public var definition: String?
  public var captions: Bool?
  public var tags: [String] = []
  public var categoryID: String?
  public var defaultLanguage: String?
  public var defaultAudioLanguage: String?
  public var liveBroadcastContent: String?
  public var liveStreaming: LiveStreaming?
  public var madeForKids: Bool?
  public var embeddable: Bool?
  public var license: String?
  public var statistics = Statistics()
  public var source: ListingSource
  public var requestID: String
  public var fetchedAt: String
  public var etag: String?

  public var key: String { videoID }
  /// Records are sealed with the place of their entry on its page.
  public var place: String { "video/\(videoID)" }
  public var url: String { "https://www.youtube.com/watch?v=\(videoID)" }

  public init(videoID: String, availability: Availability, source: ListingSource, requestID: String, fetchedAt: String) {
    self.videoID = videoID
    self.availability = availability
    self.source = source
    self.requestID = requestID
    self.fetchedAt = fetchedAt
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("videoId", videoID)
      writer.member("url", url)
      writer.member("channelId", channelID)
      writer.member("channelTitle", channelTitle)
      writer.member("title", title)
      writer.member("description", description)
      writer.member("publishedAt", publishedAt)
      writer.member("addedAt", addedAt)
      writer.member("playlistId", playlistID)
      writer.member("position", position)
      writer.member("availability", availability.rawValue)
      if !thumbnails.isEmpty {
        writer.member("thumbnail", thumbnails.preferred)
        thumbnails.write("thumbnails", to: &writer)
      }
      writeContent(to: &writer)
      writer.member("source", source.rawValue)
      writer.member("requestId", requestID)
      writer.member("fetchedAt", fetchedAt)
      writer.member("etag", etag)
    }
  }

  private func writeContent(to writer: inout JSONWriter) {
    writer.member("duration", duration)
    writer.member("durationSeconds", durationSeconds)
    writer.member("definition", definition)
    writer.member("captions", captions)
    if !tags.isEmpty { writer.member("tags", array: { writer in for tag in tags { writer.value(tag) } }) }
    writer.member("categoryId", categoryID)
    writer.member("defaultLanguage", defaultLanguage)
    writer.member("defaultAudioLanguage", defaultAudioLanguage)
    writer.member("liveBroadcastContent", liveBroadcastContent)
    if let liveStreaming {
      writer.member(
        "liveStreamingDetails",
        object: { writer in
          writer.member("scheduledStartTime", liveStreaming.scheduledStartTime)
          writer.member("scheduledEndTime", liveStreaming.scheduledEndTime)
          writer.member("actualStartTime", liveStreaming.actualStartTime)
          writer.member("actualEndTime", liveStreaming.actualEndTime)
        })
    }
    writer.member("madeForKids", madeForKids)
    writer.member("embeddable", embeddable)
    writer.member("license", license)
    guard !statistics.isEmpty else { return }
    writer.member(
      "statistics",
      object: { writer in
        writer.member("viewCount", statistics.viewCount)
        writer.member("likeCount", statistics.likeCount)
        writer.member("commentCount", statistics.commentCount)
      })
  }
}
