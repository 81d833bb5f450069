import HTTPServer
import JSON
import Messages

extension CatalogAPI {
  enum List: String, CaseIterable { case channel, catalogue, search, none }

  private static let noVideo = Problem(.notFound, "The catalogue has no such video.")

  func video(_ id: String, _ parameters: Parameters) async throws -> HTTPServer.Response {
    let list: List = try parameters.word("list", default: .none)
    if try parameters.text("list", most: 100) == List.none.rawValue {
      throw Problem(.badRequest, "list must be one of channel, catalogue, search.", field: "list")
    }
    let selection = try parameters.selection()
    let request = try parameters.text("requestId", most: RequestIDText.limit)
    if list == .search && request?.isEmpty != false {
      throw Problem(.badRequest, "list=search needs the requestId of the search.", field: "requestId")
    }
    let found = try await store.read { reader -> Neighbours? in
      try reader.video(id).map { video -> Neighbours in
        switch list {
        case .none: return (video, .none, .none)
        case .search: return try Self.neighbours(video, foundBy: request ?? "", reader)
        case .channel, .catalogue:
          var selection = selection
          // A video without a channel has no neighbours there.
          if list == .channel { selection.channel = video.channel ?? -1 }
          return try Self.neighbours(video, selection, reader)
        }
      }
    }
    guard let (video, previous, next) = found else { throw Self.noVideo }
    var writer = JSONWriter(capacity: 8192)
    VideoView(video).writeDetails(previous: previous, next: next, to: &writer)
    return .api(writer.bytes)
  }

  typealias Neighbours = (CatalogReader.StoredVideo, previous: Neighbour, next: Neighbour)

  /// The looks at a list whose filter lets few videos through, each at some thousand rows, before the neighbour remains unknown.
  private static let mostLooks = 12

  private static func neighbours(
    _ video: CatalogReader.StoredVideo, _ selection: VideoSelection, _ reader: CatalogReader
  ) throws -> Neighbours {
    (video, try neighbour(of: video, selection, reader, backwards: true), try neighbour(of: video, selection, reader, backwards: false))
  }

  private static func neighbour(
    of video: CatalogReader.StoredVideo, _ selection: VideoSelection, _ reader: CatalogReader, backwards: Bool
  ) throws -> Neighbour {
    var place: VideoSelection.Place? = selection.place(of: video)
    for _ in 0..<mostLooks {
      let page = try reader.videos(selection, behind: place, limit: 1, backwards: backwards)
      if let found = page.rows.first { return .video(VideoView(found)) }
      guard page.next != nil else { return .none }
      place = page.next
    }
    return .unknown
  }

  private static func neighbours(
    _ video: CatalogReader.StoredVideo, foundBy request: String, _ reader: CatalogReader
  ) throws -> Neighbours {
    guard let position = try reader.position(of: video.videoID, foundBy: request) else { return (video, .none, .none) }
    let place = CatalogReader.FoundPlace(position: position, id: video.videoID)
    return (
      video, Neighbour(try reader.foundVideos(request, behind: place, limit: 1, backwards: true, onlyFirst: true).rows.first),
      Neighbour(try reader.foundVideos(request, behind: place, limit: 1, onlyFirst: true).rows.first)
    )
  }

  func like(_ id: String, _ isLiked: Bool) async throws -> HTTPServer.Response {
    guard let since = try await store.write({ try $0.setLike(id, isLiked) }) else { throw Self.noVideo }
    return .api { writer in
      writer.member("videoId", id)
      writer.member("liked", since != nil)
      writer.member("likedAt", since.map(TimeText.of))
    }
  }
}
