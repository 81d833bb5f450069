public import JSON

/// A channel as it was found (topic channel-details).
public struct ChannelDetails: Payload, Equatable {
  public static let topic = Topic.channelDetails
  public static let kind: StaticString = "channel-details"

  public struct Statistics: Sendable, Equatable {
    public var viewCount: Int?
    public var subscriberCount: Int?
    public var hiddenSubscriberCount: Bool?
    public var videoCount: Int?

    public init(viewCount: Int? = nil, subscriberCount: Int? = nil, hiddenSubscriberCount: Bool? = nil, videoCount: Int? = nil) {
      self.viewCount = viewCount
      self.subscriberCount = subscriberCount
      self.hiddenSubscriberCount = hiddenSubscriberCount
      self.videoCount = videoCount
    }
  }

  /// How the reference led to the channel.
  public enum Resolution: String, Sendable { case id, handle, username, video, search }

  public var requestID: String
  public var reference: String
  public var resolvedBy: Resolution
  public var channelID: String
  public var title: String?
  public var description: String?
  public var customURL: String?
  public var publishedAt: String?
  public var country: String?
  public var thumbnails = ThumbnailSet()
  public var uploadsPlaylistID: String?
  public var statistics = Statistics()
  public var totals = Totals()
  public var options = RequestOptions()
  public var fetchedAt: String
  public var etag: String?

  public var key: String { channelID }
  public var place: String { Self.place }
  public static let place = "details"

  public init(requestID: String, reference: String, resolvedBy: Resolution, channelID: String, fetchedAt: String) {
    self.requestID = requestID
    self.reference = reference
    self.resolvedBy = resolvedBy
    self.channelID = channelID
    self.fetchedAt = fetchedAt
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("requestId", requestID)
      writer.member("reference", reference)
      writer.member("resolvedBy", resolvedBy.rawValue)
      writer.member("channelId", channelID)
      writer.member("title", title)
      writer.member("description", description)
      writer.member("customUrl", customURL)
      writer.member("publishedAt", publishedAt)
      writer.member("country", country)
      thumbnails.write("thumbnails", to: &writer)
      writer.member("thumbnail", thumbnails.preferred)
      writer.member("uploadsPlaylistId", uploadsPlaylistID)
      writer.member(
        "statistics",
        object: { writer in
          writer.member("viewCount", statistics.viewCount)
          writer.member("subscriberCount", statistics.subscriberCount)
          writer.member("hiddenSubscriberCount", statistics.hiddenSubscriberCount)
          writer.member("videoCount", statistics.videoCount)
        })
      totals.write(to: &writer)
      options.write(to: &writer)
      writer.member("fetchedAt", fetchedAt)
      writer.member("etag", etag)
    }
  }

  public init(json: JSONValue) throws(PayloadError) {
    let fields = try FieldReader(json, code: .invalidMessage, what: "ChannelDetails")
    self.init(
      requestID: try fields.required("requestId"), reference: try fields.string("reference") ?? "",
      resolvedBy: Resolution(rawValue: try fields.string("resolvedBy") ?? "") ?? .id, channelID: try fields.required("channelId"),
      fetchedAt: try fields.string("fetchedAt") ?? "")
    title = try fields.string("title")
    description = try fields.string("description")
    customURL = try fields.string("customUrl")
    publishedAt = try fields.string("publishedAt")
    country = try fields.string("country")
    thumbnails = ThumbnailSet(try fields.object("thumbnails"))
    // An empty id names no list, and a request for it could not be read.
    uploadsPlaylistID = try fields.string("uploadsPlaylistId").flatMap { $0.isEmpty ? nil : $0 }
    if let object = try fields.object("statistics") {
      statistics = Statistics(
        viewCount: object["viewCount"]?.int, subscriberCount: object["subscriberCount"]?.int,
        hiddenSubscriberCount: object["hiddenSubscriberCount"]?.bool, videoCount: object["videoCount"]?.int)
    }
    totals = try Totals.read(fields)
    options = try RequestOptions.read(fields)
    etag = try fields.string("etag")
  }
}
