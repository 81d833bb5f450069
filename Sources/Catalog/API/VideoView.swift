import FoundationEssentials
import JSON
import Telemetry

/// A video as the API tells it.
struct VideoView {
  let video: CatalogReader.StoredVideo
  private let fields: RecordFields

  init(_ video: CatalogReader.StoredVideo) {
    self.video = video
    fields = RecordFields(video.record)
  }

  // Wide enough for a card on a fine screen, and for the page of a video.
  private static let cardWidth = 480
  private static let pageWidth = 640

  func writeSummary(to writer: inout JSONWriter) {
    writer.object { writer in
      writeIdentity(to: &writer)
      writer.member("viewCount", fields.count("statistics", "viewCount"))
      fields.picture(upTo: Self.cardWidth)?.write("thumbnail", to: &writer)
      writeOwn(to: &writer)
    }
  }

  /// - Parameters: the neighbours in the list that was asked for.
  func writeDetails(previous: Neighbour, next: Neighbour, to writer: inout JSONWriter) {
    writer.object { writer in
      writeIdentity(to: &writer)
      if playback == "playable" || playback == "unknown" {
        writer.member("embedUrl", "https://www.youtube-nocookie.com/embed/\(PathText.escaped(video.videoID))")
      }
      writer.member("playback", playback)
      writer.member("description", fields.text("description"))
      writer.member("addedAt", fields.time("addedAt"))
      writer.member("duration", fields.text("duration"))
      for (name, key) in Self.statistics { writer.member(name, fields.count("statistics", key)) }
      writer.member("scheduledStartTime", fields.time("liveStreamingDetails", "scheduledStartTime"))
      writer.member("actualStartTime", fields.time("liveStreamingDetails", "actualStartTime"))
      writer.member("actualEndTime", fields.time("liveStreamingDetails", "actualEndTime"))
      fields.picture(upTo: Self.pageWidth)?.write("thumbnail", to: &writer)
      writeRest(to: &writer)
      writeOwn(to: &writer)
      previous.write("previous", orUnknown: "previousIsUnknown", to: &writer)
      next.write("next", orUnknown: "nextIsUnknown", to: &writer)
    }
  }

  private static let statistics: [(StaticString, StaticString)] = [
    ("viewCount", "viewCount"), ("likeCount", "likeCount"), ("commentCount", "commentCount"),
  ]

  private func writeIdentity(to writer: inout JSONWriter) {
    writer.member("id", video.videoID)
    writer.member("url", "https://www.youtube.com/watch?v=\(PathText.escaped(video.videoID))")
    writer.member("title", fields.text("title"))
    writer.member("channelId", fields.text("channelId"))
    writer.member("channelTitle", fields.text("channelTitle"))
    writer.member("publishedAt", fields.time("publishedAt"))
    writer.member("durationSeconds", fields.count("durationSeconds"))
    writer.member("availability", availability)
    writer.member("embeddable", fields.truth("embeddable"))
    writer.member("liveBroadcastContent", fields.text("liveBroadcastContent"))
  }

  private func writeRest(to writer: inout JSONWriter) {
    writer.member("definition", fields.text("definition"))
    writer.member("captions", fields.truth("captions"))
    let tags = fields.texts("tags")
    if !tags.isEmpty { writer.member("tags", array: { writer in for tag in tags { writer.value(tag) } }) }
    writer.member("categoryId", fields.text("categoryId"))
    writer.member("license", fields.text("license"))
    writer.member("madeForKids", fields.truth("madeForKids"))
    writer.member("defaultLanguage", fields.text("defaultLanguage"))
    writer.member("defaultAudioLanguage", fields.text("defaultAudioLanguage"))
    let source = fields.text("source") ?? ""
    writer.member("source", ["uploads", "playlist", "search", "video"].contains(source) ? source : "video")
    writer.member("playlistId", fields.text("playlistId"))
    writer.member("position", fields.count("position"))
    writer.member("requestId", fields.text("requestId") ?? "")
  }

  private func writeOwn(to writer: inout JSONWriter) {
    writer.member("liked", video.liked != nil)
    writer.member("likedAt", video.liked.map(TimeText.of))
    writer.member("fetchedAt", TimeText.of(video.fetched))
  }

  private var availability: String {
    let text = fields.text("availability") ?? ""
    return ["public", "unlisted", "private", "deleted"].contains(text) ? text : "unknown"
  }

  private var playback: String {
    if availability == "private" || availability == "deleted" { return availability }
    switch fields.truth("embeddable") {
    case true?: return "playable"
    case false?: return "notEmbeddable"
    case nil: return "unknown"
    }
  }
}

/// Times that the store keeps as milliseconds.
enum TimeText {
  static func of(_ milliseconds: Int) -> String { Timestamp.rfc3339(Date(timeIntervalSince1970: Double(milliseconds) / 1000)) }
}
