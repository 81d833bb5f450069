/// What to search for. One page costs one of the day's searches.
public struct SearchQuery: Sendable, Equatable {
  public enum Order: String, Sendable, CaseIterable { case date, rating, relevance, title, videoCount, viewCount }

  public var text: String
  /// Empty: all kinds.
  public var kinds: [SearchResult.Kind]
  /// 1 to 50; other values are brought into the range.
  public var maxResults: Int
  public var order: Order?
  public var channelID: String?
  /// RFC 3339.
  public var publishedAfter: String?
  public var publishedBefore: String?
  public var pageToken: String?
  /// Other parameters of the method by their names there, such as `videoDuration`.
  public var filters: [HTTPField] = []

  public init(
    text: String, kinds: [SearchResult.Kind] = [], maxResults: Int = 50, order: Order? = nil, channelID: String? = nil,
    publishedAfter: String? = nil, publishedBefore: String? = nil, pageToken: String? = nil
  ) {
    self.text = text
    self.kinds = kinds
    self.maxResults = maxResults
    self.order = order
    self.channelID = channelID
    self.publishedAfter = publishedAfter
    self.publishedBefore = publishedBefore
    self.pageToken = pageToken
  }
}
