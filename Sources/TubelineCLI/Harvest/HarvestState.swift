import Messages

/// What is known of each request of a harvest: a pure value that events and records are told to.
struct HarvestState: Sendable {
  enum Outcome: Sendable, Equatable {
    /// Every counted entry is written.
    case completed
    /// The request is at its end, but not as wished: notFound, failed, …, with the reason.
    case unsuccessful(RequestEvent.Kind, String?)
    /// The event counts more entries than ever came.
    case short(missing: Int)
  }

  struct RecordIdentity: Hashable, Sendable {
    let videoID: String
    let position: Int?
  }

  struct Request: Sendable {
    let id: String
    /// As it was given.
    let name: String
    /// How many entries at most were asked for.
    let limit: Int?
    /// How much of the channel is new is not known before.
    let isRefresh: Bool
    var playlistID: String?
    var isPublished = false
    var title: String?
    var channelVideos: Int?
    var written = 0
    var unavailable = 0
    /// Records that came more than once: at-least-once delivery, or pages that overlap.
    var repeated = 0
    var pages: Set<Int> = []
    var failedPages = 0
    var failure: String?
    /// The counts of the completion event; the request may still wait for records.
    var completion: Totals?
    var truncatedBy: TruncationCause?
    var units: Int?
    /// Searches of the day's, which are no units.
    var searches = 0
    var outcome: Outcome?
    fileprivate var seen: Set<RecordIdentity> = []

    var isOpen: Bool { isPublished && outcome == nil }
    var awaitsRecords: Bool { completion != nil && outcome == nil }

    /// Entries that are to come in all, as far as known.
    var expected: Int? { isRefresh ? completion?.items : most }

    /// Entries that may come at most.
    private var most: Int? {
      if let completion { return completion.items }
      guard let channelVideos else { return nil }
      return max(min(channelVideos, limit ?? .max, HarvestState.ceiling), written)
    }

    /// For back-pressure: entries that may still come. A request that is not resolved yet counts as a middling channel.
    var outstanding: Int {
      guard isOpen else { return 0 }
      return max(0, (most ?? min(limit ?? .max, HarvestState.assumed)) - written)
    }
  }

  /// The API lists no more of a channel's uploads.
  static let ceiling = 20_000
  static let assumed = 3_000
  static let mostOpen = 8
  static let mostOutstanding = 25_000

  private(set) var requests: [Request]
  private var indexOfID: [String: Int]
  /// Counts every change, so that standing still can be noticed.
  private(set) var changes = 0

  init(_ requests: [(id: String, name: String)], limit: Int? = nil, isRefresh: Bool = false) {
    self.requests = requests.map { Request(id: $0.id, name: $0.name, limit: limit, isRefresh: isRefresh) }
    indexOfID = Dictionary(uniqueKeysWithValues: requests.enumerated().map { ($1.id, $0) })
  }

  var written: Int { requests.reduce(0) { $0 + $1.written } }
  var finished: Int { requests.count { $0.outcome != nil } }
  var isFinished: Bool { requests.allSatisfy { $0.outcome != nil } }
  var isSuccessful: Bool { requests.allSatisfy { $0.outcome == .completed } }

  /// Entries to come in all; nil while that of a request is unknown.
  var expected: Int? {
    requests.reduce(0) { sum, request in
      guard let sum else { return nil }
      return request.outcome != nil ? sum + request.written : request.expected.map { sum + $0 }
    }
  }

  /// Requests that may be published now without too much lying on the broker; they count as published.
  mutating func takeForPublishing() -> [Int] {
    var open = requests.count { $0.isOpen }
    var outstanding = requests.reduce(0) { $0 + $1.outstanding }
    var taken: [Int] = []
    for index in requests.indices where !requests[index].isPublished {
      guard open == 0 || (open < Self.mostOpen && outstanding < Self.mostOutstanding) else { break }
      requests[index].isPublished = true
      open += 1
      outstanding += requests[index].outstanding
      taken.append(index)
    }
    return taken
  }

  /// Whether the record is to be written: it belongs to an open request and has not come before.
  mutating func accept(requestID: String, _ identity: RecordIdentity, isAvailable: Bool) -> Bool {
    guard let index = indexOfID[requestID], requests[index].outcome == nil else { return false }
    changes += 1
    guard requests[index].seen.insert(identity).inserted else {
      requests[index].repeated += 1
      return false
    }
    requests[index].written += 1
    if !isAvailable { requests[index].unavailable += 1 }
    completeIfCounted(index)
    return true
  }

  /// The record could not be written after all, so its request is not done.
  mutating func takeBack(requestID: String, isAvailable: Bool) {
    guard let index = indexOfID[requestID] else { return }
    requests[index].written -= 1
    if !isAvailable { requests[index].unavailable -= 1 }
    requests[index].outcome = nil
  }

  mutating func receive(_ event: RequestEvent) {
    guard let index = indexOfID[event.requestID], requests[index].outcome == nil else { return }
    changes += 1
    if let title = event.title { requests[index].title = title }
    if let totals = event.totals, event.kind != .resolved {
      requests[index].units = totals.units
      requests[index].searches = totals.searches
    }
    switch event.kind {
    case .resolved: requests[index].channelVideos = event.videoCount
    case .page: event.pageNumber.map { _ = requests[index].pages.insert($0) }
    case .pageFailed:
      requests[index].failedPages += 1
      requests[index].failure = event.error?.message
    case .completed:
      requests[index].completion = event.totals ?? Totals()
      requests[index].truncatedBy = event.truncatedBy
      requests[index].playlistID = event.playlistID
      completeIfCounted(index)
    case .notFound, .failed, .cancelled, .expired, .rejected: end(index, .unsuccessful(event.kind, event.error?.message))
    }
  }

  private mutating func completeIfCounted(_ index: Int) {
    guard let completion = requests[index].completion, requests[index].written >= completion.items else { return }
    end(index, .completed)
  }

  private mutating func end(_ index: Int, _ outcome: Outcome) {
    requests[index].outcome = outcome
    requests[index].seen = []
  }

  /// The lists of which everything that was asked for is written.
  var completedLists: [String] { requests.filter { $0.outcome == .completed }.compactMap(\.playlistID) }

  var awaitingRecords: [String] { requests.filter(\.awaitsRecords).map(\.id) }

  /// Everything that was published before the completion events of these requests has been read: what has not come will not come.
  mutating func settle(_ ids: [String]) {
    for index in ids.compactMap({ indexOfID[$0] }) where requests[index].awaitsRecords {
      changes += 1
      let items = requests[index].completion?.items ?? 0
      // An entry that stands on two overlapping pages is counted twice and written once.
      let came = requests[index].written + requests[index].repeated
      end(index, came >= items && requests[index].failedPages == 0 ? .completed : .short(missing: items - requests[index].written))
    }
  }
}
