import JSON

/// A channel as the API tells it.
struct ChannelView {
  let channel: CatalogReader.StoredChannel
  private let fields: RecordFields

  init(_ channel: CatalogReader.StoredChannel) {
    self.channel = channel
    fields = RecordFields(channel.record)
  }

  private static let pictureWidth = 240

  func writeSummary(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

  func writeDetails(request: RequestView?, to writer: inout JSONWriter) {
    writer.object { writer in
      writeMembers(to: &writer)
      writer.member("url", "https://www.youtube.com/channel/\(PathText.escaped(channel.channelID))")
      writer.member("uploadsPlaylistId", fields.text("uploadsPlaylistId"))
      writer.member("hiddenSubscriberCount", fields.truth("statistics", "hiddenSubscriberCount"))
      guard let request else { return }
      writer.key("request")
      request.write(to: &writer)
    }
  }

  private func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", channel.channelID)
    writer.member("title", fields.text("title"))
    writer.member("description", fields.text("description"))
    writer.member("customUrl", fields.text("customUrl"))
    fields.picture(upTo: Self.pictureWidth)?.write("thumbnail", to: &writer)
    writer.member("publishedAt", fields.time("publishedAt"))
    writer.member("country", fields.text("country"))
    writer.member("videoCount", fields.count("statistics", "videoCount"))
    writer.member("subscriberCount", fields.count("statistics", "subscriberCount"))
    writer.member("viewCount", fields.count("statistics", "viewCount"))
    writer.member("videos", channel.videos)
    writer.member("unavailable", channel.unavailable)
    writer.member("liked", channel.liked)
    writer.member("fetchedAt", channel.fetched.map(TimeText.of))
  }
}
