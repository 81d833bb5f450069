public import JSON

/// The next page of a search that is to be fetched, with what its pages so far have led to (topic search-continuations).
public struct SearchContinuation: Payload, Equatable {
  public static let topic = Topic.searchContinuations
  public static let kind: StaticString = "search-continuation"

  public var request: SearchRequest
  public var requestID: String
  /// Absent on the first page, which is the request itself.
  public var pageToken: String?
  /// From 1.
  public var pageNumber: Int
  public var progress: SearchProgress

  public var key: String { requestID }
  public var place: String { "search/\(pageNumber)" }

  public init(
    request: SearchRequest, requestID: String, pageToken: String? = nil, pageNumber: Int = 1, progress: SearchProgress = SearchProgress()
  ) {
    self.request = request
    self.request.requestID = requestID
    self.requestID = requestID
    self.pageToken = pageToken
    self.pageNumber = pageNumber
    self.progress = progress
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      request.writeMembers(to: &writer)
      writer.member("pageToken", pageToken)
      writer.member("pageNumber", pageNumber)
      progress.writeMembers(to: &writer)
    }
  }

  public init(json: JSONValue) throws(PayloadError) {
    let fields = try FieldReader(json, code: .invalidMessage, what: "A SearchContinuation")
    // Where a request named none, its id is a place, which may be longer than what a request may name.
    let requestID = try fields.required("requestId")
    let request = try SearchRequest(reading: fields, requestID: requestID)
    if let problem = request.problem() { throw PayloadError(.invalidMessage, problem) }
    self.init(
      request: request, requestID: requestID, pageToken: try fields.required("pageToken"),
      pageNumber: min(try fields.count("pageNumber", atLeast: 1) ?? 1, Totals.largest), progress: try SearchProgress(reading: fields))
  }
}

/// What the pages of a search so far have led to.
public struct SearchProgress: Sendable, Equatable {
  /// Pages are searches; items are entries of pages, which become records.
  public var totals = Totals()
  /// How many of the pages so far need a videos.list call.
  public var enrichments = 0
  public var found = SearchCounts()
  /// The ids of all results, since pages overlap.
  public var seen: [String] = []
  /// What the API's pages held, whether it was of use or not.
  public var read = 0
  /// How many pages in a row held nothing new.
  public var barren = 0

  public init() {}

  init(reading fields: FieldReader) throws(PayloadError) {
    totals = try Totals.read(fields)
    enrichments = min(try fields.count("enrichments") ?? 0, Totals.largest)
    found = try SearchCounts.read(fields) ?? SearchCounts()
    seen = try fields.strings("seen")
    read = min(try fields.count("read") ?? 0, Totals.largest)
    barren = min(try fields.count("barren") ?? 0, Totals.largest)
  }

  func writeMembers(to writer: inout JSONWriter) {
    totals.write(to: &writer)
    writer.member("enrichments", enrichments)
    found.write(to: &writer)
    writer.member("seen", array: { writer in for id in seen { writer.value(id) } })
    writer.member("read", read)
    writer.member("barren", barren)
  }
}
