import JSON

/// What the store needs to know of a channel's details, and the record itself as it came.
struct ChannelEntry: Sendable {
  let channelID: String
  /// What channels are sorted by.
  let titleKey: String
  /// Milliseconds since 1970.
  let fetched: Int
  let text: ChannelText
  /// The search that the channel is a result of, by the id of the request that was made of it.
  let search: String?
  let record: [UInt8]

  // More decides nothing, and the index keeps it. A cursor carries the whole key (Cursor.longestText).
  private static let longestKey = 80

  init(_ value: [UInt8], timestamp: Int64?) throws(UnreadableRecord) {
    let root = try RecordJSON.object(value)
    guard let id = root["channelId"]?.string, !id.isEmpty, id.utf8.count <= VideoEntry.longestID else {
      throw UnreadableRecord("\"channelId\" is missing, empty or too long")
    }
    channelID = id
    fetched = try RecordJSON.time("fetchedAt", of: root, sent: timestamp)
    text = ChannelText(root)
    titleKey = Self.key(text.title)
    let suffix = "/\(id)"
    search = root["requestId"]?.string.flatMap { $0.hasSuffix(suffix) ? String($0.dropLast(suffix.count)) : nil }
    record = value
  }

  private static func key(_ title: String) -> String {
    var key = String.UnicodeScalarView()
    var bytes = 0
    for scalar in String(title.lowercased().prefix(longestKey)).unicodeScalars {
      bytes += UTF8.width(scalar)
      if bytes > Cursor.longestText { break }
      key.append(scalar)
    }
    return String(key)
  }
}

/// The words of a channel that can be searched for.
struct ChannelText: Equatable, Sendable {
  let title: String
  let description: String
  let handle: String

  init(_ root: JSONValue) {
    title = root["title"]?.string ?? ""
    description = root["description"]?.string ?? ""
    handle = root["customUrl"]?.string ?? ""
  }
}
