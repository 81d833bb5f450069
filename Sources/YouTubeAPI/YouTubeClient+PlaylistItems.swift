extension YouTubeClient {
  /// One page of a playlist. `maxResults` is brought into 1…50.
  /// [playlistItems.list](https://developers.google.com/youtube/v3/docs/playlistItems/list)
  public func playlistItems(
    playlistID: String, pageToken: String? = nil, maxResults: Int = 50
  ) async throws(APIFailure) -> PlaylistItemPage {
    var query = [
      HTTPField("part", PlaylistItem.part), HTTPField("playlistId", playlistID),
      HTTPField("maxResults", String(min(max(maxResults, 1), 50))), HTTPField("fields", PlaylistItem.fields),
    ]
    if let pageToken { query.append(HTTPField("pageToken", pageToken)) }
    let answer = try await list(.playlistItemsList, query, decode: PlaylistItem.init)
    return PlaylistItemPage(
      items: answer.items, nextPageToken: answer.nextPageToken, totalResults: answer.totalResults, skipped: answer.skipped,
      etag: answer.etag)
  }
}
