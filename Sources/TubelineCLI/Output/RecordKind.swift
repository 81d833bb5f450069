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
    RecordColumn("channelTitle").freeText().shown("channel", flexible: true, dispensable: 4),
    RecordColumn("title").freeText().shown("title", flexible: true),
    RecordColumn("publishedAt").shown("published", dispensable: 5, time: .day), RecordColumn("addedAt"), RecordColumn("playlistId"),
    RecordColumn("position"),
    RecordColumn("availability").shown("availability", dispensable: 1), RecordColumn("duration"),
    RecordColumn("durationSeconds").shown("seconds", right: true, dispensable: 2),
    RecordColumn("statistics.viewCount").shown("views", right: true, dispensable: 3),
    RecordColumn("statistics.likeCount"), RecordColumn("statistics.commentCount"), RecordColumn("definition"), RecordColumn("captions"),
    RecordColumn("categoryId"), RecordColumn("defaultLanguage"), RecordColumn("defaultAudioLanguage"), RecordColumn("liveBroadcastContent"),
    RecordColumn("madeForKids"), RecordColumn("embeddable"), RecordColumn("license"), RecordColumn("tags").freeText(),
    RecordColumn("thumbnail"), RecordColumn("description").freeText(), RecordColumn("source"), RecordColumn("requestId"),
    RecordColumn("fetchedAt"), RecordColumn("etag"),
  ]

  private static let channelColumns: [RecordColumn] = [
    RecordColumn("channelId").shown("channelId"), RecordColumn("title").freeText().shown("title", flexible: true),
    RecordColumn("customUrl").freeText().shown("handle", dispensable: 6),
    RecordColumn("reference").freeText().shown("reference", flexible: true, dispensable: 3),
    RecordColumn("resolvedBy"), RecordColumn("publishedAt").shown("created", dispensable: 4, time: .day),
    RecordColumn("country").shown("country", dispensable: 1),
    RecordColumn("uploadsPlaylistId"), RecordColumn("statistics.videoCount").shown("videos", right: true, dispensable: 5),
    RecordColumn("statistics.subscriberCount").shown("subscribers", right: true, dispensable: 7),
    RecordColumn("statistics.viewCount").shown("views", right: true, dispensable: 2),
    RecordColumn("statistics.hiddenSubscriberCount"), RecordColumn("thumbnail"), RecordColumn("description").freeText(),
    RecordColumn("requestId"), RecordColumn("fetchedAt"), RecordColumn("etag"),
  ]

  private static let resultColumns: [RecordColumn] = [
    RecordColumn("position").shown("rank", right: true, dispensable: 6),
    RecordColumn("kind").shown("kind", minimum: 7, dispensable: 5), RecordColumn("id").shown("id"),
    RecordColumn("title").freeText().shown("title", flexible: true),
    RecordColumn("channelTitle").freeText().shown("channel", flexible: true, dispensable: 4),
    RecordColumn("publishedAt").shown("published", dispensable: 3, time: .day),
    RecordColumn("durationSeconds").shown("seconds", right: true, dispensable: 2),
    RecordColumn("viewCount").shown("views", right: true, dispensable: 1),
    RecordColumn("url"), RecordColumn("requestId"),
  ]

  private static let eventColumns: [RecordColumn] = [
    RecordColumn("at").shown("at", dispensable: 8, time: .minute), RecordColumn("requestId").shown("requestId"),
    RecordColumn("type").shown("type", minimum: RequestEvent.Kind.allCases.map(\.rawValue.count).max() ?? 0),
    RecordColumn("stage").shown("stage", minimum: StageName.allCases.map(\.rawValue.count).max() ?? 0, dispensable: 6),
    RecordColumn("reference").freeText().shown("reference", flexible: true, dispensable: 4),
    RecordColumn("channelId"),
    RecordColumn("title").freeText(), RecordColumn("videoCount"), RecordColumn("playlistId"),
    RecordColumn("pageNumber").shown("page", right: true, dispensable: 3),
    RecordColumn("records").shown("records", right: true, dispensable: 5), RecordColumn("available"),
    RecordColumn("unavailable"), RecordColumn("totals.pages", name: "totalPages"),
    RecordColumn("totals.items", name: "totalItems").shown("items", right: true, dispensable: 2),
    RecordColumn("totals.units", name: "totalUnits").shown("units", right: true, dispensable: 1), RecordColumn("truncatedBy"),
    RecordColumn("error.code", name: "errorCode").shown("error", dispensable: 7),
    RecordColumn("error.message", name: "errorMessage").freeText(),
    RecordColumn("found.channels", name: "foundChannels"), RecordColumn("found.videos", name: "foundVideos"),
    RecordColumn("found.playlists", name: "foundPlaylists"), RecordColumn("totals.searches", name: "totalSearches"),
  ]
}
