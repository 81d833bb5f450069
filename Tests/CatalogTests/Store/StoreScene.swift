import Foundation
import JSON
import Synchronization
import Telemetry

@testable import Catalog

/// A catalogue in a folder of its own, with a time that stands still.
final class StoreScene: Sendable {
  let folder: URL
  let clock = Mutex(StoreScene.today)

  static let today = Timestamp.parse("2026-11-30T12:00:00Z") ?? Date(timeIntervalSince1970: 0)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  var path: String { folder.appending(path: "catalog.db").path() }

  func open() async throws -> CatalogStore { try await CatalogStore.open(path, time: { self.clock.withLock { $0 } }) }

  func advance(days: Double) { clock.withLock { $0 += days * 86_400 } }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Runs with a store that is closed afterwards.
  @discardableResult
  static func with<Result>(_ body: (CatalogStore, StoreScene) async throws -> Result) async throws -> Result {
    let scene = try StoreScene()
    let store = try await scene.open()
    do {
      let result = try await body(store, scene)
      await store.close()
      return result
    } catch {
      await store.close()
      throw error
    }
  }
}

/// Records as the topics carry them.
enum Sample {
  static func video(
    _ id: String, channel: String? = "UCone", title: String? = "A title", description: String = "",
    published: String? = "2026-01-01T00:00:00Z",
    seconds: Int? = 60, views: Int? = 10, availability: String = "public", source: String = "uploads", request: String = "r-1",
    position: Int? = nil, fetched: String = "2026-11-30T10:00:00Z"
  ) throws -> VideoEntry {
    try VideoEntry(
      videoBytes(
        id, channel: channel, title: title, description: description, published: published, seconds: seconds, views: views,
        availability: availability, source: source, request: request, position: position, fetched: fetched), offset: 0, timestamp: nil)
  }

  static func videoBytes(
    _ id: String, channel: String? = "UCone", title: String? = "A title", description: String = "",
    published: String? = "2026-01-01T00:00:00Z",
    seconds: Int? = 60, views: Int? = 10, availability: String = "public", source: String = "uploads", request: String = "r-1",
    position: Int? = nil, fetched: String = "2026-11-30T10:00:00Z"
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("videoId", id)
      writer.member("url", "https://www.youtube.com/watch?v=\(id)")
      writer.member("channelId", channel)
      writer.member("title", title)
      writer.member("description", description)
      writer.member("publishedAt", published)
      writer.member("durationSeconds", seconds)
      if let views { writer.member("statistics", object: { $0.member("viewCount", views) }) }
      writer.member("availability", availability)
      writer.member("source", source)
      writer.member("requestId", request)
      writer.member("position", position)
      writer.member("fetchedAt", fetched)
    }
    return writer.bytes
  }

  static func channel(
    _ id: String, title: String = "A channel", description: String = "", handle: String = "@channel", request: String = "r-1",
    fetched: String = "2026-11-30T10:00:00Z"
  ) throws -> ChannelEntry {
    try ChannelEntry(
      channelBytes(id, title: title, description: description, handle: handle, request: request, fetched: fetched), timestamp: nil)
  }

  static func channelBytes(
    _ id: String, title: String = "A channel", description: String = "", handle: String = "@channel", request: String = "r-1",
    fetched: String = "2026-11-30T10:00:00Z"
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("requestId", request)
      writer.member("reference", handle)
      writer.member("resolvedBy", "handle")
      writer.member("channelId", id)
      writer.member("title", title)
      writer.member("description", description)
      writer.member("customUrl", handle)
      writer.member("statistics", object: { $0.member("videoCount", 3) })
      writer.member("fetchedAt", fetched)
    }
    return writer.bytes
  }

  static func event(_ text: String) throws -> EventEntry { try EventEntry(Array(text.utf8), timestamp: nil) }
}

extension CatalogStore {
  func put(_ videos: VideoEntry...) async throws { try await put(videos) }

  func put(_ videos: [VideoEntry]) async throws {
    try await write { writer in for video in videos { try writer.put(video) } }
  }

  func record(of id: String) async throws -> [UInt8]? { try await read { try $0.video(id)?.record } }

  /// Ids of a whole list, page after page.
  func list(_ selection: VideoSelection, limit: Int = 7) async throws -> [String] {
    var ids: [String] = []
    var place: VideoSelection.Place?
    repeat {
      let behind = place
      let page = try await read { try $0.videos(selection, behind: behind, limit: limit) }
      ids += page.rows.map(\.videoID)
      place = page.next
    } while place != nil
    return ids
  }

  func found(_ text: String, _ searched: CatalogReader.Searched = .videos) async throws -> Set<String> {
    try await read { reader in
      let matches = try reader.search(searched, TextQuery(text)).matches
      return Set(
        try matches.compactMap { match in
          switch searched {
          case .videos: try reader.video(number: match.n)?.videoID
          case .channels: try reader.channel(number: match.n)?.channelID
          }
        })
    }
  }
}
