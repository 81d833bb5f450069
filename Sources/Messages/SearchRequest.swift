public import FoundationEssentials
public import JSON
import Telemetry

/// A wish for a search (topic search-requests). Plain text is `{"query": text, "type": ["channel"]}`.
public struct SearchRequest: Payload, Equatable {
  public static let topic = Topic.searchRequests
  public static let kind: StaticString = "search-request"

  public enum Kind: String, Sendable, CaseIterable { case channel, video, playlist }

  /// The API lists no more videos of a channel by search, and hardly ever more of anything.
  public static let mostResults = 500
  /// One page, and so one of the day's searches.
  public static let standardResults = 50

  public var requestID: String?
  /// Empty where other parameters say what is wanted.
  public var query: String
  /// What is wanted, in the order of `Kind.allCases`, each once.
  public var kinds: [Kind]
  /// 1 to 500, over all kinds together.
  public var maxResults: Int
  public var publishedAfter: Date?
  public var publishedBefore: Date?
  public var parameters: [SearchParameter: String]
  /// What becomes of the results: `enrich`, `expiresAt`, `scope` of the channels (`details` unless it is said), `maxVideos` of each list.
  public var options: RequestOptions

  public var place: String { "request" }

  public init(
    requestID: String? = nil, query: String, kinds: [Kind] = [.channel], maxResults: Int = standardResults,
    parameters: [SearchParameter: String] = [:], options: RequestOptions? = nil
  ) {
    self.requestID = requestID
    self.query = query.trimmingSpace()
    self.kinds = Kind.allCases.filter(kinds.contains)
    self.maxResults = maxResults
    self.parameters = parameters
    var standard = RequestOptions()
    standard.scope = .details
    self.options = options ?? standard
  }

  /// The normalised query: one for all spellings in which case and blanks differ.
  public var key: String {
    query.isEmpty
      ? [.channelId, .topicId, .location, .eventType].compactMap { parameters[$0] }.first ?? ""
      : query.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// What events call the request.
  public var reference: String { query.isEmpty ? key : query }

  /// Reads a message's value: JSON when it begins with a brace, plain text otherwise.
  public init(value: [UInt8]?) throws(PayloadError) {
    switch try RequestBody(value) {
    case .text(let text): self.init(query: text)
    case .json(let document):
      let fields = try FieldReader(document.root, code: .invalidRequest, what: "A request")
      try self.init(reading: fields, requestID: fields.requestID())
    }
    if let problem = problem() { throw PayloadError(.invalidRequest, problem) }
  }

  /// The members of a request, which may contradict each other.
  init(reading fields: FieldReader, requestID: String?) throws(PayloadError) {
    self.init(
      requestID: requestID, query: try fields.string("query") ?? "", kinds: try Self.kinds(fields),
      maxResults: try fields.count("maxResults", atLeast: 1) ?? Self.standardResults)
    publishedAfter = try fields.time("publishedAfter")
    publishedBefore = try fields.time("publishedBefore")
    for parameter in SearchParameter.allCases { parameters[parameter] = try fields.string(named: parameter.rawValue) }
    var options = try RequestOptions(reading: fields, keepUnknown: false)
    if try fields.string("scope") == nil { options.scope = .details }
    // These are about the search here, or about nothing.
    options.publishedAfter = nil
    options.since = nil
    options.allowSearch = false
    self.options = options
  }

  private static func kinds(_ fields: FieldReader) throws(PayloadError) -> [Kind] {
    guard let member = fields.value["type"], !member.isNull else { return [.channel] }
    // One word, or several with commas, is what the API itself takes.
    let words = member.string.map { $0.split(separator: ",").map { String($0).trimmingSpace() } }
    let names = if let words { words } else { try fields.strings("type") }
    var kinds: [Kind] = []
    for name in names {
      guard let kind = Kind(rawValue: name) else {
        throw PayloadError(fields.code, "\"type\" must hold nothing but \(Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      kinds.append(kind)
    }
    guard !kinds.isEmpty else { throw PayloadError(fields.code, "\"type\" is empty.") }
    return kinds
  }

  public func write(to writer: inout JSONWriter) { writer.object { writer in writeMembers(to: &writer) } }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("requestId", requestID)
    if !query.isEmpty { writer.member("query", query) }
    writer.member("type", array: { writer in for kind in kinds { writer.value(kind.rawValue) } })
    writer.member("maxResults", maxResults)
    writer.member("publishedAfter", publishedAfter.map(Timestamp.rfc3339))
    writer.member("publishedBefore", publishedBefore.map(Timestamp.rfc3339))
    for parameter in SearchParameter.allCases {
      guard let value = parameters[parameter] else { continue }
      writer.key(named: parameter.rawValue)
      writer.value(value)
    }
    writer.member("enrich", options.enrich)
    writer.member("maxVideos", options.maxVideos)
    writer.member("scope", options.scope.rawValue)
    writer.member("expiresAt", options.expiresAt.map(Timestamp.rfc3339))
  }

  /// The id of the request that is made of a result: the same however often the result is found.
  public static func requestID(of result: String, in search: String) -> String {
    let id = "\(search)/\(result)"
    guard id.utf8.count > RequestIDText.limit else { return id }
    // FNV-1a: an id that is as long as it may be leaves no room.
    let hash = search.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "s-\(String(hash, radix: 16))/\(result)"
  }
}
