import FoundationEssentials
import JSON
import Telemetry

/// A search of YouTube that somebody wants to be published, as the contract's SearchRequest has it.
struct SearchWish {
  let query: String
  private let types: [String]
  private let maxResults: Int?
  private let parameters: [(name: String, value: String)]
  private let publishedAfter: Date?
  private let publishedBefore: Date?

  init(_ fields: BodyFields) throws(Problem) {
    try fields.allow([
      "query", "type", "maxResults", "order", "channelId", "publishedAfter", "publishedBefore", "regionCode", "relevanceLanguage",
      "videoDuration",
    ])
    guard let query = try fields.text("query", upTo: 500) else {
      throw Problem(.unprocessable, "search needs a query.", field: "query")
    }
    self.query = query
    types = try fields.words("type", ["channel", "video", "playlist"]) ?? ["channel"]
    maxResults = try fields.integer("maxResults", in: 1...500)
    publishedAfter = try fields.time("publishedAfter")
    publishedBefore = try fields.time("publishedBefore")
    var parameters: [(name: String, value: String)] = []
    func add(_ name: String, _ value: String?) { if let value { parameters.append((name, value)) } }
    add("order", try fields.word("order", ["date", "rating", "relevance", "title", "videoCount", "viewCount"]))
    add("channelId", try fields.text("channelId", upTo: 24, Self.isChannelID))
    add("regionCode", try fields.text("regionCode", upTo: 2) { $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x41...0x5A).contains($0) } })
    add("relevanceLanguage", try fields.text("relevanceLanguage", upTo: 8, Self.isLanguage))
    add("videoDuration", try fields.word("videoDuration", ["any", "short", "medium", "long"]))
    self.parameters = parameters
    guard types == ["video"] || !parameters.contains(where: { $0.name == "videoDuration" }) else {
      throw Problem(.unprocessable, "videoDuration needs type [\"video\"] alone.", field: "videoDuration")
    }
    if let publishedAfter, let publishedBefore, publishedAfter >= publishedBefore {
      throw Problem(.unprocessable, "publishedAfter must be before publishedBefore.", field: "publishedAfter")
    }
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

  /// The Kafka key: one for all spellings in which case and blanks differ.
  var key: String { query.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  func bytes(id: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("requestId", id)
      writer.member("query", query)
      writer.member("type", array: { writer in for type in types { writer.value(type) } })
      writer.member("maxResults", maxResults)
      for (name, value) in parameters {
        writer.key(named: name)
        writer.value(value)
      }
      writer.member("publishedAfter", publishedAfter.map { Timestamp.rfc3339($0) })
      writer.member("publishedBefore", publishedBefore.map { Timestamp.rfc3339($0) })
    }
    return writer.bytes
  }
}
