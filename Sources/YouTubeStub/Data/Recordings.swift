import FoundationEssentials
import JSON
import Synchronization

/// The recorded answers of a folder as data: what it does not hold is absent, as in the API.
final class Recordings: Archive {
  private let shelf: RecordingShelf
  private let removed = Mutex<Set<String>>([])

  /// Reads every `.json` file below the folder. Files that are no answers of the API are passed over, unreadable ones are errors.
  init(folder: String) throws {
    shelf = try RecordingShelf(answers: Self.answers(in: folder))
  }

  init(answers: [JSONTree]) { shelf = RecordingShelf(answers: answers) }

  private static func answers(in folder: String) throws -> [JSONTree] {
    let names: [String]
    do { names = try FileManager.default.subpathsOfDirectory(atPath: folder) } catch {
      throw RecordingsError(description: "--recordings \(folder): cannot be read as a folder")
    }
    return try names.filter { $0.hasSuffix(".json") }.sorted().map { name in
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
        throw RecordingsError(description: "\(folder)/\(name): cannot be read")
      }
      do throws(JSONError) { return try JSONTree.parse(Array(data)) } catch {
        throw RecordingsError(description: "\(folder)/\(name): \(error.reason)")
      }
    }
  }

  func channel(_ reference: ChannelReference) -> (any Resource)? {
    switch reference {
    case .id(let id): shelf.channels[id]
    case .handle(let handle): shelf.channelByName[(handle.hasPrefix("@") ? String(handle.dropFirst()) : handle).lowercased()]
    case .username: nil
    }
  }

  func video(_ id: String) -> (any Resource)? {
    removed.withLock { $0.contains(id) } ? nil : shelf.videos[id]
  }

  func playlist(_ id: String) -> (any Resource)? { shelf.playlists[id] }

  func playlists(ofChannel id: String) -> [any Resource]? {
    guard shelf.channels[id] != nil else { return nil }
    return shelf.playlists.values.filter { $0.tree["snippet"]?["channelId"]?.string == id }.sorted { $0.id < $1.id }
  }

  func playlistItem(_ id: String) -> (any Resource)? { shelf.itemByID[id] }

  func listing(_ playlistID: String) -> (any Listing)? {
    guard let items = shelf.items[playlistID] else { return nil }
    let removed = removed.withLock { $0 }
    return RecordedListing(entries: removed.isEmpty ? items : items.filter { !removed.contains($0.videoID ?? "") })
  }

  func mostPopular() -> [any Resource] { shelf.chart }

  func search(_ query: SearchQuery) -> SearchResults {
    let words = (query.text ?? "").lowercased().split(separator: " ")
    let items = shelf.hits.filter { hit in
      let snippet = hit.tree["snippet"]
      guard query.kinds.contains(hit.kind), query.channelID.map({ $0 == snippet?["channelId"]?.string }) ?? true else { return false }
      guard query.videoFilters["eventType"].map({ $0 == (snippet?["liveBroadcastContent"]?.string ?? "none") }) ?? true else {
        return false
      }
      let date = snippet?["publishedAt"]?.string.flatMap { CivilTime.seconds($0) } ?? 0
      guard date >= query.publishedAfter ?? .min, date < query.publishedBefore ?? .max else { return false }
      let title = (snippet?["title"]?.string ?? "").lowercased()
      return words.isEmpty || words.contains { title.contains($0) }
    }
    return SearchResults(items: items, total: items.count)
  }

  /// `videos` is what the recordings hold of the channel's uploads.
  func channels() -> [ChannelTruth] {
    shelf.channels.values.sorted { $0.id < $1.id }.map { channel in
      let uploads = "UU" + channel.id.dropFirst(2)
      let listed = listing(uploads)?.count ?? 0
      let items = shelf.items[uploads] ?? []
      return ChannelTruth(
        channelID: channel.id, handle: channel.tree["snippet"]?["customUrl"]?.string.flatMap { $0.hasPrefix("@") ? $0 : nil },
        username: nil,
        title: channel.tree["snippet"]?["title"]?.string ?? "", uploadsPlaylistID: uploads, videos: listed, listed: listed,
        available: items.count { item in item.videoID.map { video($0) != nil } ?? false })
    }
  }

  /// Recorded channels get no new videos.
  func addVideos(_ count: Int, toChannel id: String) -> Bool { false }

  func removeVideos(_ ids: [String], fromChannel id: String) -> RemovalFailure? {
    guard shelf.channels[id] != nil else { return .unknownChannel }
    if let unknown = ids.first(where: { shelf.videos[$0] == nil }) { return .unknownVideo(unknown) }
    removed.withLock { $0.formUnion(ids) }
    return nil
  }
}

/// A folder of recordings that cannot be served.
public struct RecordingsError: Error, CustomStringConvertible {
  public let description: String
}
