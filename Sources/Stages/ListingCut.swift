import FoundationEssentials
import Messages
import Telemetry
import YouTubeAPI

/// What of an answered page is wanted, and whether a further page is.
struct ListingCut: Sendable {
  var items: [PlaylistPage.Item]
  var nextPageToken: String?
  var truncatedBy: TruncationCause?
  /// The known part of the list is reached.
  var isStopped = false
  /// What the listing knows with this page; `nil` when something was left out that nobody has published yet.
  private(set) var newest: KnownEntries?
  private(set) var refresh: Refresh?

  /// The API lists this many uploads, or entries of another playlist, and no more.
  private static let uploadsCeiling = 20_000
  private static let playlistCeiling = 5_000
  private static let pageSize = 50
  /// No list is longer than the ceiling; a token that goes on beyond it is a server's loop.
  private static let mostPages = 1_000
  /// How many entries in a row must be too old before the rest of an uploads list is taken to be older still.
  /// Late-published videos sit deeper than their date: the list is in the order of the uploads.
  private static let oldInARow = 25

  /// - Parameter remembered: how many entries a watermark holds.
  init(answer: PlaylistItemPage, request: PlaylistRequest, remembered: Int = 0) {
    let listing = request.listing
    let read = answer.items.map { PlaylistPage.Item($0, in: listing) }
    items = read
    nextPageToken = answer.nextPageToken.flatMap { $0.isEmpty ? nil : $0 }
    if request.pageNumber >= Self.mostPages { nextPageToken = nil }
    noteCeiling(answer, request)
    refresh = listing.refresh
    if var known = refresh {
      stopAtKnown(&known)
      refresh = known
    }
    let wanted = items
    let goesOn = nextPageToken != nil
    if let after = listing.options.publishedAfter { drop(olderThan: after, listing) }
    if let most = listing.options.maxVideos { keep(mostly: most - listing.totals.items) }
    if let head = listing.newest, goesOn == (nextPageToken != nil), isPublished(wanted) {
      newest = remembering(head, read, refresh, upTo: remembered)
    }
  }

  /// Whether each entry is among those that go on, or was published by an earlier request.
  private func isPublished(_ wanted: [PlaylistPage.Item]) -> Bool {
    guard items.count < wanted.count else { return true }
    let kept = Set(items.map(\.videoID))
    let known = KnownIndex(refresh?.known ?? KnownEntries())
    return wanted.allSatisfy { kept.contains($0.videoID) || known.knows($0) }
  }

  // The answer's total does not tell what the list leaves out: it ends at the ceiling too. Read entries count, wanted or not.
  private mutating func noteCeiling(_ answer: PlaylistItemPage, _ request: PlaylistRequest) {
    guard nextPageToken == nil else { return }
    let inThisPage = answer.items.count + answer.skipped
    let before = max(request.listing.totals.items, (min(request.pageNumber, Self.mostPages) - 1) * Self.pageSize)
    let ceiling = request.listing.source == .uploads ? Self.uploadsCeiling : Self.playlistCeiling
    if before + inThisPage >= ceiling { truncatedBy = .ceiling }
  }

  private mutating func drop(olderThan after: Date, _ listing: Listing) {
    var oldInARow = 0
    items = items.filter { item in
      guard let date = (item.publishedAt ?? item.addedAt).flatMap(Timestamp.parse), date < after else {
        oldInARow = 0
        return true
      }
      oldInARow += 1
      return false
    }
    // Only uploads are in the order of time; another playlist is read to its end.
    if listing.source == .uploads && oldInARow >= Self.oldInARow && nextPageToken != nil {
      nextPageToken = nil
      truncatedBy = .publishedAfter
    }
  }

  private mutating func keep(mostly rest: Int) {
    guard items.count > rest || (items.count == rest && nextPageToken != nil) else { return }
    items = Array(items.prefix(max(rest, 0)))
    nextPageToken = nil
    truncatedBy = .maxVideos
  }
}

extension PlaylistPage.Item {
  init(_ item: PlaylistItem, in listing: Listing) {
    self.init(videoID: item.videoID, availability: Messages.Availability(rawValue: item.availability.rawValue) ?? .unknown)
    position = item.position
    addedAt = item.addedAt
    // The placeholders of entries that cannot be watched are no title, description or picture.
    guard availability.mayBeLookedUp else { return }
    title = item.title
    description = item.description
    publishedAt = item.videoPublishedAt
    thumbnails = ThumbnailSet(item.thumbnails)
    if item.channelID != listing.channelID { channelID = item.channelID }
    if item.channelTitle != listing.channelTitle { channelTitle = item.channelTitle }
  }
}
