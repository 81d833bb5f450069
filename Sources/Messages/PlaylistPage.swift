public import JSON

/// Up to 50 entries of a listing (topic playlist-pages). Pages of one playlist share a partition.
public struct PlaylistPage: Payload, Equatable {
  public static let topic = Topic.playlistPages
  public static let kind: StaticString = "playlist-page"

  public struct Item: Sendable, Equatable {
    public var videoID: String
    public var position: Int?
    public var title: String?
    public var description: String?
    /// When the video was put on the list.
    public var addedAt: String?
    /// When the video itself was published.
    public var publishedAt: String?
    public var availability: Availability
    public var thumbnails = ThumbnailSet()
    /// The video's channel where it is not the listing's.
    public var channelID: String?
    public var channelTitle: String?

    public init(videoID: String, availability: Availability = .unknown) {
      self.videoID = videoID
      self.availability = availability
    }
  }

  public var listing: Listing
  public var pageNumber: Int
  public var totalResults: Int?
  public var items: [Item]
  /// No page follows.
  public var last: Bool
  /// On the last page: what ended the listing early.
  public var truncatedBy: TruncationCause?
  /// On the last page: the whole list was read, whatever was known of it.
  public var fullPass = false

  public var key: String {
    // The pages of a search have to share a partition, too.
    listing.source == .search ? listing.requestID : listing.playlistID ?? items.first?.videoID ?? listing.requestID
  }
  public var place: String { "page/\(pageNumber)" }

  public init(
    listing: Listing, pageNumber: Int, totalResults: Int? = nil, items: [Item], last: Bool, truncatedBy: TruncationCause? = nil
  ) {
    self.listing = listing
    self.pageNumber = pageNumber
    self.totalResults = totalResults
    self.items = items
    self.last = last
    self.truncatedBy = truncatedBy
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      listing.writeIdentity(to: &writer)
      writer.member("pageNumber", pageNumber)
      writer.member("totalResults", totalResults)
      writer.member("items", array: { writer in for item in items { item.write(to: &writer) } })
      writer.member("last", last)
      writer.member("truncatedBy", truncatedBy?.rawValue)
      if fullPass { writer.member("fullPass", true) }
      listing.writeProgress(to: &writer)
    }
  }

  public init(json: JSONValue) throws(PayloadError) {
    let fields = try FieldReader(json, code: .invalidMessage, what: "A PlaylistPage")
    guard json["items"]?.kind == .array else { throw PayloadError(.invalidMessage, "\"items\" must be an array.") }
    var items: [Item] = []
    for element in json["items"].map({ Array($0.elements) }) ?? [] { items.append(try Item(json: element)) }
    let cause = try fields.string("truncatedBy")
    self.init(
      listing: try Listing(reading: fields), pageNumber: try fields.count("pageNumber") ?? 1,
      totalResults: try fields.count("totalResults"),
      items: items, last: try fields.bool("last") ?? false, truncatedBy: cause.flatMap(TruncationCause.init))
    fullPass = try fields.bool("fullPass") ?? false
  }
}

extension PlaylistPage.Item {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("videoId", videoID)
      writer.member("position", position)
      writer.member("title", title)
      writer.member("description", description)
      writer.member("addedAt", addedAt)
      writer.member("publishedAt", publishedAt)
      writer.member("availability", availability.rawValue)
      writer.member("channelId", channelID)
      writer.member("channelTitle", channelTitle)
      thumbnails.write("thumbnails", to: &writer)
    }
  }

  init(json: JSONValue) throws(PayloadError) {
    let fields = try FieldReader(json, code: .invalidMessage, what: "An item")
    self.init(
      videoID: try fields.required("videoId"), availability: Availability(rawValue: try fields.string("availability") ?? "") ?? .unknown)
    position = try fields.count("position")
    title = try fields.string("title")
    description = try fields.string("description")
    addedAt = try fields.string("addedAt")
    publishedAt = try fields.string("publishedAt")
    channelID = try fields.string("channelId")
    channelTitle = try fields.string("channelTitle")
    thumbnails = ThumbnailSet(try fields.object("thumbnails"))
  }
}
