public import JSON

/// What happened to a request (topic request-events). Exactly one terminal event ends each request.
public struct RequestEvent: Payload, Equatable {
  public static let topic = Topic.requestEvents
  public static let kind: StaticString = "request-event"

  public enum Kind: String, Sendable, CaseIterable {
    case resolved, page, pageFailed, completed, notFound, failed, cancelled, expired, rejected

    public var isTerminal: Bool {
      switch self {
      case .resolved, .page, .pageFailed: false
      case .completed, .notFound, .failed, .cancelled, .expired, .rejected: true
      }
    }
  }

  public struct Failure: Sendable, Equatable {
    public let code: String
    public let message: String

    public init(code: String, message: String) {
      self.code = code
      self.message = message
    }
  }

  public var requestID: String
  public var kind: Kind
  public var stage: StageName
  /// RFC 3339.
  public var at: String
  public var reference: String?
  public var channelID: String?
  public var title: String?
  /// On resolved: how many videos the channel says it has.
  public var videoCount: Int?
  public var playlistID: String?
  public var pageNumber: Int?
  public var records: Int?
  public var available: Int?
  public var unavailable: Int?
  public var totals: Totals?
  public var truncatedBy: TruncationCause?
  /// Of a search: how many results of each kind its pages so far have found.
  public var found: SearchCounts?
  /// On resolved, of a search: the results of one page in search order.
  public var results: [FoundResult] = []
  public var error: Failure?

  public var key: String { requestID }
  public var place: String { pageNumber.map { "\(kind.rawValue)/\($0)/event" } ?? "\(kind.rawValue)/event" }

  public init(requestID: String, kind: Kind, stage: StageName, at: String) {
    self.requestID = requestID
    self.kind = kind
    self.stage = stage
    self.at = at
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("requestId", requestID)
      writer.member("type", kind.rawValue)
      writer.member("stage", stage.rawValue)
      writer.member("at", at)
      writer.member("reference", reference)
      writer.member("channelId", channelID)
      writer.member("title", title)
      writer.member("videoCount", videoCount)
      writer.member("playlistId", playlistID)
      writer.member("pageNumber", pageNumber)
      writer.member("records", records)
      writer.member("available", available)
      writer.member("unavailable", unavailable)
      totals?.write(to: &writer)
      writer.member("truncatedBy", truncatedBy?.rawValue)
      found?.write(to: &writer)
      if !results.isEmpty { writer.member("results", array: { writer in for result in results { result.write(to: &writer) } }) }
      if let error {
        writer.member(
          "error",
          object: { writer in
            writer.member("code", error.code)
            writer.member("message", error.message)
          })
      }
    }
  }

  public init(json: JSONValue) throws(PayloadError) {
    let fields = try FieldReader(json, code: .invalidMessage, what: "A RequestEvent")
    guard let kind = Kind(rawValue: try fields.required("type")) else { throw PayloadError(.invalidMessage, "\"type\" is unknown.") }
    guard let stage = StageName(rawValue: try fields.required("stage")) else {
      throw PayloadError(.invalidMessage, "\"stage\" is unknown.")
    }
    self.init(requestID: try fields.required("requestId"), kind: kind, stage: stage, at: try fields.string("at") ?? "")
    reference = try fields.string("reference")
    channelID = try fields.string("channelId")
    title = try fields.string("title")
    videoCount = try fields.count("videoCount")
    playlistID = try fields.string("playlistId")
    pageNumber = try fields.count("pageNumber")
    records = try fields.count("records")
    available = try fields.count("available")
    unavailable = try fields.count("unavailable")
    totals = try fields.object("totals") == nil ? nil : try Totals.read(fields)
    truncatedBy = try fields.string("truncatedBy").flatMap(TruncationCause.init)
    found = try SearchCounts.read(fields)
    results = try FoundResult.read("results", fields)
    if let object = try fields.object("error") {
      error = Failure(code: object["code"]?.string ?? "", message: object["message"]?.string ?? "")
    }
  }
}
