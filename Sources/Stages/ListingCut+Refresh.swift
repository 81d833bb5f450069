import Messages

/// Where a refresh stops, and what the listing remembers.
extension ListingCut {
  /// Leaves out what is known beyond the look-back, and asks for no further page once enough is known.
  ///
  /// Entries are counted wherever they stand: one that moved to the top, and new ones among the known, change nothing. So every entry
  /// that is not known is wanted, as far as pages are read.
  mutating func stopAtKnown(_ refresh: inout Refresh) {
    let index = KnownIndex(refresh.known)
    let met = refresh.met
    let all = items
    items = all.filter { item in
      guard index.knows(item) else { return true }
      refresh.met += 1
      return refresh.met <= refresh.lookBack
    }
    guard refresh.met > met, refresh.met >= Self.enough(refresh) else { return }
    if nextPageToken != nil || items.count < all.count { truncatedBy = .since }
    isStopped = true
    nextPageToken = nil
  }

  // Some of the known may be deleted: of a list that is shorter than the look-back, or was remembered with a shorter one, not all come.
  private static func enough(_ refresh: Refresh) -> Int { max(1, min(refresh.lookBack, refresh.known.ids.count * 3 / 4)) }

  /// The head of the list with this page, and below the last page of a refresh what was known there before.
  func remembering(_ newest: KnownEntries, _ read: [PlaylistPage.Item], _ refresh: Refresh?, upTo limit: Int) -> KnownEntries {
    var newest = newest
    for item in read { newest.append(item.videoID, isAvailable: item.availability.mayBeLookedUp, upTo: limit) }
    guard isStopped, let known = refresh?.known else { return newest }
    let onPage = Set(read.map(\.videoID))
    let below = known.ids.lastIndex(where: onPage.contains).map { $0 + 1 } ?? known.ids.endIndex
    for id in known.ids[below...] { newest.append(id, isAvailable: !known.unavailable.contains(id), upTo: limit) }
    return newest
  }
}

/// Tells entries that an earlier listing had.
struct KnownIndex: Sendable {
  private let ids: Set<String>
  private let unavailable: Set<String>

  init(_ known: KnownEntries) {
    ids = Set(known.ids)
    unavailable = known.unavailable
  }

  /// A placeholder that has become a video is news.
  func knows(_ item: PlaylistPage.Item) -> Bool {
    ids.contains(item.videoID) && !(item.availability.mayBeLookedUp && unavailable.contains(item.videoID))
  }
}
