extension YouTubeClient {
  /// One page of a playlist. `maxResults` is brought into 1…50.
  public func playlistItems(
    playlistID: String, pageToken: String? = nil, maxResults: Int = 50
  ) async throws(APIFailure) -> PlaylistItemPage { PlaylistItemPage(items: []) }
}
