/// playlistItems.list: https://developers.google.com/youtube/v3/docs/playlistItems/list
enum PlaylistItemsEndpoint {
  static func answer(_ call: Call, _ archive: any Archive) throws(APIError) -> ListAnswer {
    let parts = try call.parts()
    let size = try call.integer("maxResults", 0...50, default: 5)
    let token = try call.pageToken()
    func list(_ items: [any Resource], _ total: Int, _ page: Page?) -> ListAnswer {
      ListAnswer(
        kind: "playlistItemListResponse", itemKind: "playlistItem", items: items, totalResults: total, resultsPerPage: size, page: page,
        parts: parts)
    }
    if try call.filter(of: ["id", "playlistId"]) == "id" {
      let found = (try call.ids() ?? []).compactMap { archive.playlistItem($0) }
      let page = Page(token: token, size: size, total: found.count)
      return list(Array(found[page.range]), found.count, page)
    }
    let listing = try listing(call.single("playlistId") ?? "", archive)
    if let video = call.single("videoId") {
      let found = listing.items(ofVideo: video)
      let page = Page(token: token, size: size, total: found.count)
      return list(Array(found[page.range]), found.count, page)
    }
    let page = Page(token: token, size: size, total: listing.count)
    return list(listing.items(page.range), listing.count, page)
  }

  private static func listing(_ id: String, _ archive: any Archive) throws(APIError) -> any Listing {
    if id == "WL" || id == "HL" || id.hasPrefix("LL") {
      let reason = id == "WL" ? "watchLaterNotAccessible" : id == "HL" ? "watchHistoryNotAccessible" : "playlistItemsNotAccessible"
      throw APIError(
        403, reason, domain: "youtube.playlistItem", message: "Items in this playlist cannot be retrieved through the API.",
        location: "playlistId")
    }
    guard let listing = archive.listing(id) else { throw .playlistNotFound }
    return listing
  }
}
