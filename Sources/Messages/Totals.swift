import JSON

/// Running sums of one listing, carried by its messages, so that no shared counter exists.
public struct Totals: Sendable, Equatable {
  public var pages: Int
  public var items: Int
  /// What the request costs without retries; a shared 50-id lookup counts 1.
  public var units: Int
  /// Searches of the day's, without retries. They are no units, but of a bucket of their own.
  public var searches: Int

  public init(pages: Int = 0, items: Int = 0, units: Int = 0, searches: Int = 0) {
    self.pages = pages
    self.items = items
    self.units = units
    self.searches = searches
  }

  // So far below the largest number of a message that what a stage adds is still readable for the next one.
  static let largest = 1 << 51

  func write(to writer: inout JSONWriter) {
    writer.member(
      "totals",
      object: { writer in
        writer.member("pages", pages)
        writer.member("items", items)
        writer.member("units", units)
        if searches > 0 { writer.member("searches", searches) }
      })
  }

  static func read(_ fields: FieldReader) throws(PayloadError) -> Totals {
    guard let object = try fields.object("totals") else { return Totals() }
    let totals = try FieldReader(object, code: fields.code, what: "\"totals\"")
    func sum(_ name: StaticString) throws(PayloadError) -> Int { min(try totals.count(name) ?? 0, largest) }
    return Totals(pages: try sum("pages"), items: try sum("items"), units: try sum("units"), searches: try sum("searches"))
  }
}

/// What ended a listing before the list's own end.
public enum TruncationCause: String, Sendable, CaseIterable {
  /// The API lists no more than 20,000 uploads, or 5,000 entries of another playlist.
  case ceiling
  case maxVideos, publishedAfter, since
  /// A search has as many results as were asked for, and there are more.
  case maxResults
}

/// Where a listing comes from.
public enum ListingSource: String, Sendable, CaseIterable { case uploads, playlist, search, video }

/// Whether a video can be watched, as far as the API tells.
public enum Availability: String, Sendable, CaseIterable {
  case `public`, unlisted, `private`, deleted, unknown

  /// Whether videos.list can be expected to know the video.
  public var mayBeLookedUp: Bool { self != .private && self != .deleted }
  public var isAvailable: Bool { self == .public || self == .unlisted }
}
