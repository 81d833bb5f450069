/// playlists.list: https://developers.google.com/youtube/v3/docs/playlists/list
enum PlaylistsEndpoint {
  static func answer(_ call: Call, _ archive: any Archive) throws(APIError) -> ListAnswer {
    let parts = try call.parts()
    let size = try call.integer("maxResults", 0...50, default: 5)
    let token = try call.pageToken()
    let found: [any Resource]
    switch try call.filter(of: ["id", "channelId", "mine"]) {
    case "id": found = (try call.ids() ?? []).compactMap { archive.playlist($0) }
    case "channelId":
      guard let playlists = archive.playlists(ofChannel: call.single("channelId") ?? "") else { throw .channelNotFound }
      found = playlists
    default: throw .authorizationRequired("mine")
    }
    let page = Page(token: token, size: size, total: found.count)
    return ListAnswer(
      kind: "playlistListResponse", itemKind: "playlist", items: Array(found[page.range]), totalResults: found.count, resultsPerPage: size,
      page: page, order: .pageInfoFirst, parts: parts)
  }
}
