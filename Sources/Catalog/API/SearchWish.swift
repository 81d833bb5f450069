import FoundationEssentials
import Messages

/// Reads a search of YouTube that somebody wants to be published: those of its parameters that the page offers.
enum SearchWish {
  static func request(_ fields: BodyFields) throws(Problem) -> SearchRequest {
    try fields.allow([
      "query", "type", "maxResults", "order", "channelId", "publishedAfter", "publishedBefore", "regionCode", "relevanceLanguage",
      "videoDuration",
    ])
    guard let query = try fields.text("query", upTo: 500) else {
      throw Problem(.unprocessable, "search needs a query.", field: "query")
    }
    let words = try fields.words("type", SearchRequest.Kind.allCases.map(\.rawValue))
    var request = SearchRequest(
      query: query, kinds: words?.compactMap(SearchRequest.Kind.init) ?? [.channel],
      maxResults: try fields.integer("maxResults", in: 1...SearchRequest.mostResults) ?? SearchRequest.standardResults)
    request.publishedAfter = try fields.time("publishedAfter")
    request.publishedBefore = try fields.time("publishedBefore")
    request.parameters[.order] = try fields.word("order", SearchParameter.order.words ?? [])
    request.parameters[.channelId] = try fields.text("channelId", upTo: 24, isChannelID)
    request.parameters[.regionCode] = try fields.text("regionCode", upTo: 2) { code in
      code.utf8.count == 2 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
    request.parameters[.relevanceLanguage] = try fields.text("relevanceLanguage", upTo: 8, isLanguage)
    request.parameters[.videoDuration] = try fields.word("videoDuration", SearchParameter.videoDuration.words ?? [])
    if let problem = request.problem() { throw Problem(.unprocessable, problem, field: "search") }
    return request
  }

  private static func isChannelID(_ text: String) -> Bool {
    text.utf8.count == 24 && text.hasPrefix("UC")
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x5F
      }
  }

  private static func isLanguage(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count) && (2...3).contains(parts[0].utf8.count)
      && (parts.count == 1 || (2...4).contains(parts[1].utf8.count))
      && parts.allSatisfy { $0.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) } }
  }
}
