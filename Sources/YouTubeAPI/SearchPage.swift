/// One page of hits. It may hold fewer than asked for, or none, and still have a next page.
public struct SearchPage: Sendable, Equatable {
  public var results: [SearchResult]
  public var nextPageToken: String?
  /// An estimate, at most 1,000,000: never a count to page by.
  public var totalResults: Int?
  /// Hits that could not be read or are of another kind, and are missing from `results`.
  public var skipped: Int

  public init(results: [SearchResult], nextPageToken: String? = nil, totalResults: Int? = nil, skipped: Int = 0) {
    self.results = results
    self.nextPageToken = nextPageToken
    self.totalResults = totalResults
    self.skipped = skipped
  }
}
