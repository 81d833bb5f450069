import JSON

/// How many results of each kind a search has.
public struct SearchCounts: Sendable, Equatable {
  public var channels: Int
  public var videos: Int
  public var playlists: Int

  public init(channels: Int = 0, videos: Int = 0, playlists: Int = 0) {
    self.channels = channels
    self.videos = videos
    self.playlists = playlists
  }

  public var all: Int { channels + videos + playlists }

  public mutating func count(_ kind: SearchRequest.Kind) {
    switch kind {
    case .channel: channels += 1
    case .video: videos += 1
    case .playlist: playlists += 1
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.member(
      "found",
      object: { writer in
        writer.member("channels", channels)
        writer.member("videos", videos)
        writer.member("playlists", playlists)
      })
  }

  static func read(_ fields: FieldReader) throws(PayloadError) -> SearchCounts? {
    guard let object = try fields.object("found") else { return nil }
    let counts = try FieldReader(object, code: fields.code, what: "\"found\"")
    return SearchCounts(
      channels: min(try counts.count("channels") ?? 0, Totals.largest), videos: min(try counts.count("videos") ?? 0, Totals.largest),
      playlists: min(try counts.count("playlists") ?? 0, Totals.largest))
  }
}

/// A result of a search by its rank, counted over all kinds and pages from 0.
public struct FoundResult: Sendable, Equatable {
  public var position: Int
  public var kind: SearchRequest.Kind
  public var id: String
  /// The request that was made of it; a video belongs to the search itself.
  public var requestID: String?

  public init(position: Int, kind: SearchRequest.Kind, id: String, requestID: String? = nil) {
    self.position = position
    self.kind = kind
    self.id = id
    self.requestID = requestID
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("position", position)
      writer.member(kind.idName, id)
      writer.member("requestId", requestID)
    }
  }

  static func read(_ name: StaticString, _ fields: FieldReader) throws(PayloadError) -> [FoundResult] {
    guard let array = fields.value[name], !array.isNull else { return [] }
    guard array.kind == .array else { throw PayloadError(fields.code, "\"\(name)\" must be an array.") }
    var results: [FoundResult] = []
    for element in array.elements {
      let result = try FieldReader(element, code: fields.code, what: "A result")
      for kind in SearchRequest.Kind.allCases {
        guard let id = try result.string(kind.idName), let position = try result.count("position") else { continue }
        results.append(FoundResult(position: position, kind: kind, id: id, requestID: try result.string("requestId")))
        break
      }
    }
    return results
  }
}

extension SearchRequest.Kind {
  fileprivate var idName: StaticString {
    switch self {
    case .channel: "channelId"
    case .video: "videoId"
    case .playlist: "playlistId"
    }
  }
}
