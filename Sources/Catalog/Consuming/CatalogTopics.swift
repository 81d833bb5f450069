import Messages

/// The topics that the catalogue reads, by their full names.
struct CatalogTopics: Sendable {
  enum Content: Sendable, Equatable {
    case videos, channels, events, channelRequests, searchRequests
    case letters(StageName)
    /// Kept in memory, and read from its beginning at each start.
    case workers

    var isStored: Bool { self != .workers }
  }

  let byName: [String: Content]
  private let prefix: String

  init(prefix: String) {
    var topics: [String: Content] = [
      prefix + Topic.videoRecords.name: .videos, prefix + Topic.channelDetails.name: .channels, prefix + Topic.requestEvents.name: .events,
      prefix + Topic.channelRequests.name: .channelRequests, prefix + Topic.searchRequests.name: .searchRequests,
      prefix + Topic.workerStatus.name: .workers,
    ]
    for stage in StageName.allCases { topics[prefix + Topic.dead(stage).name] = .letters(stage) }
    byName = topics
    self.prefix = prefix
  }

  var names: [String] { byName.keys.sorted() }

  /// As metrics name a topic: without the installation's prefix.
  func label(_ name: String) -> String { name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name }
  var labels: [String] { names.map(label) }
}
