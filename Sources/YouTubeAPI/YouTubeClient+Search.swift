extension YouTubeClient {
  /// One page of hits.
  public func search(_ query: SearchQuery) async throws(APIFailure) -> SearchPage { SearchPage(results: []) }
}
