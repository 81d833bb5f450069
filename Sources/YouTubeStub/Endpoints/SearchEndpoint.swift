/// search.list: https://developers.google.com/youtube/v3/docs/search/list
enum SearchEndpoint {
  private static let videoFilters = [
    "eventType", "videoCaption", "videoCategoryId", "videoDefinition", "videoDimension", "videoDuration", "videoEmbeddable", "videoLicense",
    "videoPaidProductPlacement", "videoSyndicated", "videoType",
  ]
  private static let choices: [(name: String, values: Set<String>)] = [
    ("order", ["date", "rating", "viewCount", "relevance", "title", "videoCount"]), ("safeSearch", ["none", "moderate", "strict"]),
    ("channelType", ["any", "show"]), ("eventType", ["none", "upcoming", "live", "completed"]),
    ("videoCaption", ["any", "closedCaption", "none"]),
    ("videoDefinition", ["any", "standard", "high"]), ("videoDimension", ["any", "2d", "3d"]),
    ("videoDuration", ["any", "short", "medium", "long"]),
    ("videoEmbeddable", ["any", "true"]), ("videoLicense", ["any", "youtube", "creativeCommon"]), ("videoSyndicated", ["any", "true"]),
    ("videoType", ["any", "movie", "episode"]), ("videoPaidProductPlacement", ["any", "true"]),
  ]

  static func answer(_ call: Call, _ archive: any Archive) throws(APIError) -> ListAnswer {
    let parts = try call.parts()
    let size = try call.integer("maxResults", 0...50, default: 5)
    let token = try call.pageToken()
    let results = archive.search(try query(call))
    let page = Self.page(token: token, size: size, total: results.items.count)
    return ListAnswer(
      kind: "searchListResponse", itemKind: "searchResult", items: Array(results.items[page.range]), totalResults: results.total,
      resultsPerPage: size, page: page, order: .pageInfoFirst, regionCode: call.single("regionCode") ?? "US", parts: parts)
  }

  /// Every third page is short although more follows, and the last one has a token that leads to an empty page, as seen in the API.
  private static func page(token: PageToken?, size: Int, total: Int) -> Page {
    var page = Page(token: token, size: size, total: total)
    guard size > 0, token?.isBackwards != true else { return page }
    if page.range.lowerBound / size % 3 == 1, page.range.count == size, size > 3 {
      page.range = page.range.lowerBound..<(page.range.upperBound - 3)
      page.next = PageToken(offset: page.range.upperBound).text
    } else if page.next == nil, !page.range.isEmpty, total >= size {
      page.next = PageToken(offset: total).text
    }
    return page
  }

  private static func query(_ call: Call) throws(APIError) -> SearchQuery {
    for (name, values) in choices { _ = try call.choice(name, values) }
    for name in ["forMine", "forDeveloper", "forContentOwner"] where call.single(name) == "true" { throw .authorizationRequired(name) }
    var query = SearchQuery()
    if let types = call.list("type") {
      query.kinds = []
      for type in types {
        guard let kind = SearchQuery.Kind(rawValue: type) else { throw .invalidArgument() }
        query.kinds.insert(kind)
      }
    }
    for name in videoFilters where call.single(name) != nil && query.kinds != [.video] { throw .invalidSearchFilter }
    if call.single("location") != nil || call.single("locationRadius") != nil {
      guard query.kinds == [.video] else { throw .invalidSearchFilter }
      guard call.single("location") != nil, call.single("locationRadius") != nil else {
        throw APIError(
          400, "invalidLocation", domain: "youtube.search", message: "The location and/or locationRadius parameter value is invalid.",
          location: "location")
      }
    }
    query.text = call.single("q")
    if let id = call.single("channelId") {
      guard id.hasPrefix("UC"), id.utf8.count == 24 else { throw .invalidArgument() }
      query.channelID = id
    }
    query.order = call.single("order") ?? "relevance"
    for name in videoFilters { query.videoFilters[name] = call.single(name) }
    query.publishedAfter = try call.moment("publishedAfter")
    query.publishedBefore = try call.moment("publishedBefore")
    return query
  }
}

extension APIError {
  static let invalidSearchFilter = APIError(
    400, "invalidSearchFilter", domain: "youtube.search",
    message:
      "The request contains an invalid combination of search filters and/or restrictions. Note that you must set the "
      + "type parameter to video if you set a value for the eventType, video* or location parameters.",
    location: "parameters.", locationType: "other")
}
