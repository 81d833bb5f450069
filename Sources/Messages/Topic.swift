/// A Kafka topic by its name without the installation's prefix. The table of all topics is `Topic.all`.
public struct Topic: Hashable, Sendable, CustomStringConvertible {
  public let name: String

  public init(_ name: String) { self.name = name }

  public var description: String { name }

  public static let searchRequests = Topic("search-requests")
  public static let searchContinuations = Topic("search-continuations")
  public static let channelRequests = Topic("channel-requests")
  public static let channelDetails = Topic("channel-details")
  public static let playlistRequests = Topic("playlist-requests")
  public static let playlistPages = Topic("playlist-pages")
  public static let videoRecords = Topic("video-records")
  public static let requestEvents = Topic("request-events")
  public static let requestControl = Topic("request-control")
  public static let workerStatus = Topic("worker-status")

  /// Where a stage puts messages that are to be tried again later.
  public static func retry(_ stage: StageName) -> Topic { Topic("\(stage.rawValue)-retry") }
  /// Where a stage puts messages that it gave up on.
  public static func dead(_ stage: StageName) -> Topic { Topic("\(stage.rawValue)-dead") }
}

/// The stages of the pipeline, by the names that topics, groups and executables carry.
public enum StageName: String, Sendable, CaseIterable {
  case search, channels, playlists, videos

  /// The consumer group of the stage's workers, without the installation's prefix.
  public var group: String { "tubeline-\(rawValue)" }
}

/// How a topic is to be created.
public struct TopicPlan: Sendable, Equatable {
  public let topic: Topic
  public let key: String
  public let value: String
  public let compacted: Bool
  public let retentionDays: Int

  /// The broker's settings for the topic.
  ///
  /// Records fetched with an API key may not be kept for more than 30 days (Developer Policies III.E.4.d), hence 29.
  public var configuration: [String: String] {
    [
      "cleanup.policy": compacted ? "compact,delete" : "delete",
      "retention.ms": String(retentionDays * 86_400_000),
    ]
  }
}

extension Topic {
  /// Every topic of an installation.
  public static let all: [TopicPlan] =
    [
      plan(.searchRequests, "normalised query", "SearchRequest or plain text", days: 7),
      plan(.searchContinuations, "requestId", "SearchContinuation", days: 7),
      plan(.channelRequests, "normalised reference", "ChannelRequest or plain text", days: 7),
      plan(.channelDetails, "channelId", "ChannelDetails", compacted: true, days: 29),
      plan(.playlistRequests, "playlistId", "PlaylistRequest", days: 7),
      plan(.playlistPages, "playlistId", "PlaylistPage", days: 7),
      plan(.videoRecords, "videoId", "VideoRecord; null is a tombstone", compacted: true, days: 29),
      plan(.requestEvents, "requestId", "RequestEvent", days: 29),
      plan(.requestControl, "requestId", "RequestControl", compacted: true, days: 29),
      plan(.workerStatus, "stage/worker", "WorkerReport; null is a worker that ended", compacted: true, days: 1),
    ]
    // The videos stage retries in place, so that `completed` cannot overtake a page's records.
    + StageName.allCases.filter { $0 != .videos }.map { plan(.retry($0), "original key", "original bytes", days: 7) }
    + StageName.allCases.map { plan(.dead($0), "original key", "original bytes", days: 29) }

  private static func plan(_ topic: Topic, _ key: String, _ value: String, compacted: Bool = false, days: Int) -> TopicPlan {
    TopicPlan(topic: topic, key: key, value: value, compacted: compacted, retentionDays: days)
  }
}
