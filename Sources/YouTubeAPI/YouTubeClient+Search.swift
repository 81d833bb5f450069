extension YouTubeClient {
  /// One page of hits. [search.list](https://developers.google.com/youtube/v3/docs/search/list)
  public func search(_ query: SearchQuery) async throws(APIFailure) -> SearchPage {
    var fields = [HTTPField("part", SearchResult.part)]
    if !query.text.isEmpty { fields.append(HTTPField("q", query.text)) }
    if !query.kinds.isEmpty { fields.append(HTTPField("type", query.kinds.map(\.rawValue).joined(separator: ","))) }
    fields.append(HTTPField("maxResults", String(min(max(query.maxResults, 1), 50))))
    let optional = [
      ("order", query.order?.rawValue), ("channelId", query.channelID), ("publishedAfter", query.publishedAfter),
      ("publishedBefore", query.publishedBefore), ("pageToken", query.pageToken),
    ]
    for case (let name, let value?) in optional { fields.append(HTTPField(name, value)) }
    fields += query.filters
    fields.append(HTTPField("fields", SearchResult.fields))
    let answer = try await list(.searchList, fields, decode: SearchResult.init)
    return SearchPage(
      results: answer.items, nextPageToken: answer.nextPageToken, totalResults: answer.totalResults, skipped: answer.skipped)
  }
}
