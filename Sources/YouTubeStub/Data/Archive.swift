/// A channel, video, playlist or playlist item that can write itself.
protocol Resource: Sendable {
  var id: String { get }
  /// Changes when the resource does.
  var version: UInt64 { get }
  /// Writes the parts that were asked for; kind, etag and id are the list's work.
  func write(_ parts: Set<String>, into emitter: inout Emitter)
}

/// The entries of a playlist, as many as playlistItems.list can reach.
protocol Listing: Sendable {
  var count: Int { get }
  func items(_ range: Range<Int>) -> [any Resource]
  /// The entries that hold a video.
  func items(ofVideo id: String) -> [any Resource]
}

/// How channels.list names a channel.
enum ChannelReference: Equatable, Sendable {
  case id(String)
  case handle(String)
  case username(String)
}

/// What the stub serves: the generator's or a folder of recordings.
protocol Archive: Sendable {
  func channel(_ reference: ChannelReference) -> (any Resource)?
  func video(_ id: String) -> (any Resource)?
  func playlist(_ id: String) -> (any Resource)?
  func playlists(ofChannel id: String) -> [any Resource]?
  func playlistItem(_ id: String) -> (any Resource)?
  func listing(_ playlistID: String) -> (any Listing)?
  func mostPopular() -> [any Resource]
  func search(_ query: SearchQuery) -> SearchResults
  /// The truth for `GET /stub/channels`.
  func channels() -> [ChannelTruth]
  /// Publishes videos on top of a channel; false when there is no such channel.
  func addVideos(_ count: Int, toChannel id: String) -> Bool
  /// Deletes videos of a channel; the first id that is none of its videos, if any, in which case nothing is deleted.
  func removeVideos(_ ids: [String], fromChannel id: String) -> RemovalFailure?
}

enum RemovalFailure: Equatable {
  case unknownChannel
  case unknownVideo(String)
}

/// What is in a channel, for tests to compare with.
struct ChannelTruth: Equatable, Sendable {
  var channelID: String
  var handle: String?
  var username: String?
  var title: String
  var uploadsPlaylistID: String
  /// All uploads, those that playlistItems.list can list, and those of them that videos.list returns.
  var videos: Int
  var listed: Int
  var available: Int
}

/// What search.list was asked for.
struct SearchQuery: Equatable, Sendable {
  enum Kind: String, CaseIterable { case video, channel, playlist }

  var text: String?
  var channelID: String?
  var kinds: Set<Kind> = Set(Kind.allCases)
  var order = "relevance"
  /// What is asked of videos, by the API's names of the parameters.
  var videoFilters: [String: String] = [:]
  var publishedAfter: Int?
  var publishedBefore: Int?
}

/// All results of a search in order; search.list shows a page of them.
struct SearchResults: Sendable {
  var items: [any SearchHit]
  /// An estimate, as the API's.
  var total: Int
}

protocol SearchHit: Resource {
  var kind: SearchQuery.Kind { get }
  func writeSnippet(into emitter: inout Emitter)
}
