import Messages

/// The topics that people read, with their columns.
enum RecordKind: Sendable {
  case videos, channels, events
  /// Of a search: rows that a command makes of records of both kinds.
  case results

  var topic: Topic {
    switch self {
    case .videos: .videoRecords
    case .channels: .channelDetails
    case .events: .requestEvents
    case .results: .videoRecords
    }
  }

  /// The field that the message's key repeats.
  var keyField: String {
    switch self {
    case .videos: "videoId"
    case .channels: "channelId"
    case .events: "requestId"
    case .results: "id"
    }
  }

  /// Every column of CSV in order; tables show those with a heading.
  var columns: [RecordColumn] {
    switch self {
    case .videos: Self.videoColumns
    case .channels: Self.channelColumns
    case .events: Self.eventColumns
    case .results: Self.resultColumns
    }
  }

  private static let videoColumns: [RecordColumn] = [
    RecordColumn("videoId").shown("videoId"), RecordColumn("url"), RecordColumn("channelId"),
    RecordColumn("channelTitle").freeText().shown("channel", flexible: true),
    RecordColumn("title").freeText().shown("title", flexible: true),
    RecordColumn("publishedAt").shown("published"), RecordColumn("addedAt"), RecordColumn("playlistId"), RecordColumn("position"),
    RecordColumn("availability").shown("availability"), RecordColumn("duration"),
    RecordColumn("durationSeconds").shown("seconds", right: true), RecordColumn("statistics.viewCount").shown("views", right: true),
    RecordColumn("statistics.likeCount"), RecordColumn("statistics.commentCount"), RecordColumn("definition"), RecordColumn("captions"),
    RecordColumn("categoryId"), RecordColumn("defaultLanguage"), RecordColumn("defaultAudioLanguage"), RecordColumn("liveBroadcastContent"),
    RecordColumn("madeForKids"), RecordColumn("embeddable"), RecordColumn("license"), RecordColumn("tags").freeText(),
    RecordColumn("thumbnail"), RecordColumn("description").freeText(), RecordColumn("source"), RecordColumn("requestId"),
    RecordColumn("fetchedAt"), RecordColumn("etag"),
  ]

  private static let channelColumns: [RecordColumn] = [
    RecordColumn("channelId").shown("channelId"), RecordColumn("title").freeText().shown("title", flexible: true),
    RecordColumn("customUrl").freeText().shown("handle"), RecordColumn("reference").freeText().shown("reference", flexible: true),
    RecordColumn("resolvedBy"), RecordColumn("publishedAt").shown("since"), RecordColumn("country").shown("country"),
    RecordColumn("uploadsPlaylistId"), RecordColumn("statistics.videoCount").shown("videos", right: true),
    RecordColumn("statistics.subscriberCount").shown("subscribers", right: true),
    RecordColumn("statistics.viewCount").shown("views", right: true),
    RecordColumn("statistics.hiddenSubscriberCount"), RecordColumn("thumbnail"), RecordColumn("description").freeText(),
    RecordColumn("requestId"), RecordColumn("fetchedAt"), RecordColumn("etag"),
  ]

  private static let resultColumns: [RecordColumn] = [
    RecordColumn("position").shown("rank", right: true), RecordColumn("kind").shown("kind", minimum: 7), RecordColumn("id").shown("id"),
    RecordColumn("title").freeText().shown("title", flexible: true),
    RecordColumn("channelTitle").freeText().shown("channel", flexible: true), RecordColumn("publishedAt").shown("published"),
    RecordColumn("durationSeconds").shown("seconds", right: true), RecordColumn("viewCount").shown("views", right: true),
    RecordColumn("url"), RecordColumn("requestId"),
  ]

  private static let eventColumns: [RecordColumn] = [
    RecordColumn("at").shown("at"), RecordColumn("requestId").shown("requestId"),
    RecordColumn("type").shown("type", minimum: RequestEvent.Kind.allCases.map(\.rawValue.count).max() ?? 0),
    RecordColumn("stage").shown("stage", minimum: StageName.allCases.map(\.rawValue.count).max() ?? 0),
    RecordColumn("reference").freeText().shown("reference", flexible: true),
    RecordColumn("channelId"),
    RecordColumn("title").freeText(), RecordColumn("videoCount"), RecordColumn("playlistId"),
    RecordColumn("pageNumber").shown("page", right: true), RecordColumn("records").shown("records", right: true), RecordColumn("available"),
    RecordColumn("unavailable"), RecordColumn("totals.pages", name: "totalPages"),
    RecordColumn("totals.items", name: "totalItems").shown("items", right: true),
    RecordColumn("totals.units", name: "totalUnits").shown("units", right: true), RecordColumn("truncatedBy"),
    RecordColumn("error.code", name: "errorCode").shown("error"), RecordColumn("error.message", name: "errorMessage").freeText(),
    RecordColumn("found.channels", name: "foundChannels"), RecordColumn("found.videos", name: "foundVideos"),
    RecordColumn("found.playlists", name: "foundPlaylists"),
  ]
}
