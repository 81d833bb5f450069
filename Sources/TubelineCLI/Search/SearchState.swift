import JSON
import Kafka
import Messages

/// What is known of a search and of the requests that it made: a pure value that events and records are told to.
struct SearchState: Sendable {
  /// A record that is to be shown.
  struct Shown: Sendable {
    let record: ConsumedRecord
    /// Its rank; `nil` for an entry of a list that was found, or of a found channel's uploads.
    let position: Int?
  }

  private struct Video: Sendable {
    let url: String
    let isAvailable: Bool
    let isEmbeddable: Bool
    let isUpcoming: Bool

    var isPlayable: Bool { isAvailable && isEmbeddable && !isUpcoming }
  }

  private struct Identity: Hashable, Sendable {
    let requestID: String
    let id: String
    let position: Int?
  }

  let requestID: String
  /// The search's last event.
  private(set) var ending: RequestEvent?
  /// How the requests that the search made have ended.
  private(set) var outcomes: [String: RequestEvent.Kind] = [:]
  private(set) var failedPages = 0
  private var results: [Int: FoundResult] = [:]
  private var videos: [Int: Video] = [:]
  /// Records that wait for their turn, by what they answer: a rank, or a request.
  private var videoRecords: [Int: ConsumedRecord] = [:]
  private var channelRecords: [String: ConsumedRecord] = [:]
  private var entries: [Shown] = []
  private var seen: Set<Identity> = []
  private var turn = 0

  init(requestID: String) { self.requestID = requestID }

  /// Whether the search has made that request. Messages of different topics and partitions come in any order.
  private func isOurs(_ id: String) -> Bool {
    guard let slash = id.lastIndex(of: "/") else { return false }
    return SearchRequest.requestID(of: String(id[id.index(after: slash)...]), in: requestID) == id
  }

  mutating func receive(_ event: RequestEvent) {
    if event.requestID == requestID {
      for result in event.results { results[result.position] = result }
      if event.kind == .pageFailed { failedPages += 1 }
      if event.kind.isTerminal && ending == nil { ending = event }
    } else if event.kind.isTerminal, isOurs(event.requestID) {
      outcomes[event.requestID] = event.kind
    }
  }

  /// A record of channel-details or video-records.
  mutating func receive(_ record: ConsumedRecord, _ json: JSONValue) {
    guard let owner = json["requestId"]?.string, owner == requestID || isOurs(owner) else { return }
    let video = json["videoId"]?.string
    guard let id = video ?? json["channelId"]?.string else { return }
    let position = json["position"]?.int
    // At-least-once delivery may bring it twice.
    guard seen.insert(Identity(requestID: owner, id: id, position: position)).inserted else { return }
    guard video != nil else {
      channelRecords[owner] = record
      return
    }
    guard owner == requestID, let position else {
      entries.append(Shown(record: record, position: nil))
      return
    }
    videoRecords[position] = record
    videos[position] = Video(
      url: json["url"]?.string ?? "https://www.youtube.com/watch?v=\(id)",
      isAvailable: json["availability"]?.string.flatMap(Availability.init)?.isAvailable ?? false,
      isEmbeddable: json["embeddable"]?.bool ?? true, isUpcoming: json["liveBroadcastContent"]?.string == "upcoming")
  }

  /// The search and every request that it made have ended.
  var isFinished: Bool {
    guard let ending else { return false }
    return outcomes.count >= (ending.found?.channels ?? 0) + (ending.found?.playlists ?? 0)
  }

  /// Nothing has come of the search yet.
  var isSilent: Bool { ending == nil && results.isEmpty }

  /// Everything that was wanted is there. A channel that is gone meanwhile is no failure.
  var isSuccessful: Bool {
    ending?.kind == .completed && failedPages == 0 && outcomes.values.allSatisfy { $0 == .completed || $0 == .notFound }
  }

  /// What can be shown now: results in their order, up to the first that is still to come, and entries of lists as they come.
  ///
  /// - Parameter isLast: nothing more will come, so nothing is waited for.
  mutating func takeShown(isLast: Bool = false) -> [Shown] {
    var shown = entries
    entries = []
    while let result = results[turn] {
      if let record = takeRecord(of: result) {
        shown.append(Shown(record: record, position: turn))
      } else if !isLast && isAwaited(result) {
        break
      }
      turn += 1
    }
    return shown
  }

  private mutating func takeRecord(of result: FoundResult) -> ConsumedRecord? {
    switch result.kind {
    case .video: videoRecords.removeValue(forKey: result.position)
    case .channel: result.requestID.flatMap { channelRecords.removeValue(forKey: $0) }
    case .playlist: Self.record(ofPlaylist: result)
    }
  }

  /// No topic has records of lists, only of what is on them, so the search's word for it is shown.
  private static func record(ofPlaylist result: FoundResult) -> ConsumedRecord {
    let playlist: JSONTree = [
      "playlistId": .string(result.id), "url": .string("https://www.youtube.com/playlist?list=\(result.id)"),
      "requestId": result.requestID.map { .string($0) } ?? .null, "position": .int(result.position),
    ]
    return ConsumedRecord(topic: Topic.requestEvents.name, partition: 0, offset: 0, value: playlist.bytes())
  }

  private func isAwaited(_ result: FoundResult) -> Bool {
    switch result.kind {
    case .video: true
    // Its details may be on their way although it has ended.
    case .channel: result.requestID.flatMap { outcomes[$0] }.map { $0 == .completed } ?? true
    case .playlist: false
    }
  }

  /// The address of the first playable video in the order of the search, as soon as no earlier result can be one.
  ///
  /// - Parameter isLast: nothing more will come; then one that can be watched on YouTube only is better than none.
  func firstVideo(isLast: Bool = false) -> String? {
    var position = 0
    while let result = results[position] {
      if result.kind == .video {
        if let video = videos[position] {
          if video.isPlayable { return video.url }
        } else if !isLast {
          return nil
        }
      }
      position += 1
    }
    return isLast ? videos.sorted { $0.key < $1.key }.first { $0.value.isAvailable && !$0.value.isUpcoming }?.value.url : nil
  }
}
