import JSON

/// What stands before or behind a video in a list.
enum Neighbour {
  case video(VideoView)
  /// The list begins or ends here.
  case none
  /// The list goes on, but its next video is too far away.
  case unknown

  init(_ video: CatalogReader.StoredVideo?) { self = video.map { .video(VideoView($0)) } ?? .none }

  func write(_ name: StaticString, orUnknown unknown: StaticString, to writer: inout JSONWriter) {
    switch self {
    case .video(let view):
      writer.key(name)
      view.writeSummary(to: &writer)
    case .none: break
    case .unknown: writer.member(unknown, true)
    }
  }
}
