/// videos.list: https://developers.google.com/youtube/v3/docs/videos/list
enum VideosEndpoint {
  static func answer(_ call: Call, _ archive: any Archive) throws(APIError) -> ListAnswer {
    let parts = try call.parts()
    let size = try call.integer("maxResults", 1...50, default: 5)
    let token = try call.pageToken()
    switch try call.filter(of: ["id", "chart", "myRating"]) {
    case "id":
      // maxResults and pageToken are for charts: asked by id, everything comes at once.
      let found = (try call.ids() ?? []).compactMap { archive.video($0) }.inServersOrder
      return list(found, total: found.count, size: found.count, page: nil, parts)
    case "chart":
      guard try call.choice("chart", ["mostPopular", "chartUnspecified"]) == "mostPopular" else {
        throw APIError(
          400, "videoChartNotFound", domain: "youtube.video", message: "The requested video chart is not supported or is not available.",
          location: "chart")
      }
      let popular = archive.mostPopular()
      let page = Page(token: token, size: size, total: popular.count)
      return list(Array(popular[page.range]), total: popular.count, size: size, page: page, parts)
    default: throw .authorizationRequired("myRating")
    }
  }

  private static func list(_ items: [any Resource], total: Int, size: Int, page: Page?, _ parts: Set<String>) -> ListAnswer {
    ListAnswer(
      kind: "videoListResponse", itemKind: "video", items: items, totalResults: total, resultsPerPage: size, page: page, parts: parts)
  }
}
