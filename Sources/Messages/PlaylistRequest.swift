public import FoundationEssentials
public import JSON
import Telemetry

/// The next page of a listing that is to be fetched (topic playlist-requests): the recursion as a message.
public struct PlaylistRequest: Payload, Equatable {
  public static let topic = Topic.playlistRequests
  public static let kind: StaticString = "playlist-request"

  public var listing: Listing
  /// Absent on the first page.
  public var pageToken: String?
  /// From 1.
  public var pageNumber: Int

  public var key: String { listing.playlistID ?? listing.requestID }
  public var place: String { "list/\(pageNumber)" }

  public init(listing: Listing, pageToken: String? = nil, pageNumber: Int = 1) {
    self.listing = listing
    self.pageToken = pageToken
    self.pageNumber = pageNumber
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      listing.writeIdentity(to: &writer)
      writer.member("pageToken", pageToken)
      writer.member("pageNumber", pageNumber)
      listing.writeProgress(to: &writer)
    }
  }

  public init(json: JSONValue) throws(PayloadError) {
    let fields = try FieldReader(json, code: .invalidMessage, what: "A PlaylistRequest")
    let listing = try Listing(reading: fields)
    guard listing.playlistID != nil else { throw PayloadError(.invalidMessage, "\"playlistId\" is missing or empty.") }
    let number = try fields.count("pageNumber", atLeast: 1) ?? 1
    self.init(listing: listing, pageToken: try fields.string("pageToken"), pageNumber: number)
  }
}

/// What all messages of one listing have in common.
public struct Listing: Sendable, Equatable {
  public var requestID: String
  /// What the request named, for its last event.
  public var reference: String?
  public var source: ListingSource
  public var playlistID: String?
  public var channelID: String?
  public var channelTitle: String?
  public var totals: Totals
  /// How many of the pages so far need a videos.list call.
  public var enrichments: Int
  public var options: RequestOptions
  /// When an uploads list was begun to be read, by the clock of the watermarks' store.
  public var startedAt: Date?
  /// The head of the list as it was read, which may become its watermark; `nil` when something that is not known was left out.
  public var newest: KnownEntries?
  /// Set while a listing may stop at what is known.
  public var refresh: Refresh?
  /// Of a search: what all its pages so far have found.
  public var found: SearchCounts?

  public init(
    requestID: String, reference: String? = nil, source: ListingSource, playlistID: String?, channelID: String? = nil,
    channelTitle: String? = nil,
    totals: Totals = Totals(), enrichments: Int = 0, options: RequestOptions = RequestOptions()
  ) {
    self.requestID = requestID
    self.reference = reference
    self.source = source
    self.playlistID = playlistID
    self.channelID = channelID
    self.channelTitle = channelTitle
    self.totals = totals
    self.enrichments = enrichments
    self.options = options
  }

  init(reading fields: FieldReader) throws(PayloadError) {
    let sourceText = try fields.string("source") ?? ListingSource.uploads.rawValue
    guard let source = ListingSource(rawValue: sourceText) else {
      throw PayloadError(.invalidMessage, "\"source\" must be one of \(ListingSource.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    let playlistID = try fields.string("playlistId")
    self.init(
      requestID: try fields.required("requestId"), reference: try fields.string("reference"), source: source,
      playlistID: playlistID?.isEmpty == true ? nil : playlistID, channelID: try fields.string("channelId"),
      channelTitle: try fields.string("channelTitle"), totals: try Totals.read(fields),
      enrichments: min(try fields.count("enrichments") ?? 0, Totals.largest),
      options: try RequestOptions.read(fields))
    startedAt = try fields.time("startedAt")
    newest = try KnownEntries.read("newest", fields)
    refresh = try Refresh.read(fields)
    found = try SearchCounts.read(fields)
  }

  func writeIdentity(to writer: inout JSONWriter) {
    writer.member("requestId", requestID)
    writer.member("reference", reference)
    writer.member("source", source.rawValue)
    writer.member("playlistId", playlistID)
    writer.member("channelId", channelID)
    writer.member("channelTitle", channelTitle)
  }

  func writeProgress(to writer: inout JSONWriter) {
    totals.write(to: &writer)
    writer.member("enrichments", enrichments)
    writer.member("startedAt", startedAt.map(Timestamp.rfc3339))
    newest?.write("newest", to: &writer)
    refresh?.write(to: &writer)
    found?.write(to: &writer)
    options.write(to: &writer)
  }
}
