/// channels.list: https://developers.google.com/youtube/v3/docs/channels/list
enum ChannelsEndpoint {
  static let filters = ["id", "forHandle", "forUsername", "mine", "managedByMe", "mySubscribers", "categoryId"]

  static func answer(_ call: Call, _ archive: any Archive) throws(APIError) -> ListAnswer {
    let parts = try call.parts()
    let size = try call.integer("maxResults", 0...50, default: 5)
    let token = try call.pageToken()
    let found = try find(call, archive)
    let page = Page(token: token, size: size, total: found.count)
    return ListAnswer(
      kind: "channelListResponse", itemKind: "channel", items: Array(found[page.range]), totalResults: found.count, resultsPerPage: size,
      page: page, order: .pageInfoFirst, omitsEmptyItems: true, parts: parts)
  }

  private static func find(_ call: Call, _ archive: any Archive) throws(APIError) -> [any Resource] {
    let filter = try call.filter(of: filters)
    switch filter {
    case "id":
      let ids = try call.ids() ?? []
      return ids.compactMap { archive.channel(.id($0)) }.inServersOrder
    case "forHandle": return [archive.channel(.handle(call.single(filter) ?? ""))].compactMap { $0 }
    case "forUsername": return [archive.channel(.username(call.single(filter) ?? ""))].compactMap { $0 }
    case "categoryId":
      throw APIError(
        404, "categoryNotFound", domain: "youtube.channel", message: "The specified category could not be found.", location: "categoryId")
    default: throw .authorizationRequired(filter)
    }
  }
}

extension [any Resource] {
  /// An order that is always the same but not the one asked for, so that nobody comes to rely on it.
  var inServersOrder: [any Resource] {
    map { (Scramble.hash($0.id), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
