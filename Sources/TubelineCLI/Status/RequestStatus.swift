import JSON
import Messages

/// What is known of one request, as its events and its own message tell.
struct RequestStatus: Sendable {
  enum State: String, Sendable, CaseIterable {
    /// No event has come yet.
    case waiting
    case running
    case completed, cancelled, expired, failed, notFound, rejected

    init(_ kind: RequestEvent.Kind) {
      switch kind {
      case .resolved, .page, .pageFailed: self = .running
      case .completed: self = .completed
      case .cancelled: self = .cancelled
      case .expired: self = .expired
      case .failed: self = .failed
      case .notFound: self = .notFound
      case .rejected: self = .rejected
      }
    }

    var isActive: Bool { self == .waiting || self == .running }
  }

  struct LastEvent: Sendable, Equatable {
    let kind: RequestEvent.Kind
    let stage: StageName
    let at: String
  }

  let id: String
  private(set) var state = State.waiting
  /// RFC 3339: when it was ordered to end; workers tell that it has when the message that holds it is worked off.
  var cancelRequestedAt: String?
  private(set) var reference: String?
  private(set) var title: String?
  private(set) var channelID: String?
  private(set) var playlistID: String?
  /// RFC 3339: when the request was published, or its first event.
  private(set) var begun: String?
  private(set) var last: LastEvent?
  private(set) var truncatedBy: TruncationCause?
  private(set) var found: SearchCounts?
  private(set) var error: RequestEvent.Failure?
  private(set) var pageFailures: [Int: RequestEvent.Failure] = [:]
  /// How many entries at most were asked for.
  private var limit: Int?
  /// The list is read to a date or to its known part only: nobody knows how far that is.
  private var endsEarly = false
  private var channelVideos: Int?
  private var counts = Totals()
  private var ending: Totals?
  // A page whose event comes twice, after a redelivery, counts once.
  private var seen: Set<Int> = []
  private(set) var unavailable = 0

  init(id: String) { self.id = id }

  /// The state, in words for people.
  var stateWord: String { state.isActive && cancelRequestedAt != nil ? "cancelling" : state.rawValue }

  /// Pages whose records are published; of a finished request, all that were listed.
  var pages: Int { state == .completed ? ending?.pages ?? counts.pages : counts.pages }
  /// Entries whose records are published; of a finished request, all that were listed.
  var videos: Int { state == .completed ? ending?.items ?? counts.items : counts.items }
  /// What the listing has cost so far, without retries.
  var units: Int { max(ending?.units ?? 0, counts.units) }
  /// Searches of the day's, which are no units.
  var searches: Int { max(ending?.searches ?? 0, counts.searches) }

  /// Entries to come in all, by the channel's word, which counts public videos only; `nil` when nobody knows.
  var expected: Int? {
    if state == .completed { return ending?.items }
    guard !endsEarly, let most = [channelVideos, limit].compactMap({ $0 }).min() else { return nil }
    return max(min(most, HarvestState.ceiling), counts.items)
  }

  /// The message that made the request.
  mutating func note(request: ChannelRequest, at time: String?) {
    reference = reference ?? String(request.target.text.prefix(200))
    limit = request.options.maxVideos
    endsEarly = request.options.since != nil || request.options.publishedAfter != nil
    note(time: time)
  }

  /// The message that made a search.
  mutating func note(search: SearchRequest, at time: String?) {
    reference = reference ?? String(search.reference.prefix(200))
    // Results of several kinds, of which only videos are counted here.
    endsEarly = true
    note(time: time)
  }

  /// A message that no stage can use, which may still tell what was meant.
  mutating func note(unusable value: [UInt8]?, at time: String?) {
    reference = reference ?? UnusableRequest(value).reference.map { String($0.prefix(200)) }
    note(time: time)
  }

  mutating func note(time: String?) {
    guard let time, !time.isEmpty else { return }
    begun = begun.map { min($0, time) } ?? time
  }

  mutating func note(_ event: RequestEvent) {
    note(time: event.at)
    last = LastEvent(kind: event.kind, stage: event.stage, at: event.at)
    reference = event.reference ?? reference
    title = event.title ?? title
    channelID = event.channelID ?? channelID
    playlistID = event.playlistID ?? playlistID
    channelVideos = event.videoCount ?? channelVideos
    if let event = event.found, event.all >= found?.all ?? 0 { found = event }
    counts.units = max(counts.units, event.totals?.units ?? 0)
    counts.searches = max(counts.searches, event.totals?.searches ?? 0)
    switch event.kind {
    case .resolved: break
    case .page: note(page: event)
    case .pageFailed:
      if let number = event.pageNumber { pageFailures[number] = event.error ?? RequestEvent.Failure(code: "", message: "") }
    default:
      state = State(event.kind)
      ending = event.totals
      truncatedBy = event.truncatedBy
      error = event.error
      return
    }
    // A page that was under way when the request ended says nothing about its end.
    if state == .waiting { state = .running }
  }

  private mutating func note(page event: RequestEvent) {
    let number = event.pageNumber ?? 1
    guard seen.insert(number).inserted else { return }
    pageFailures[number] = nil
    counts.pages += 1
    counts.items = counts.items.addingClamped(event.records ?? 0)
    unavailable = unavailable.addingClamped(event.unavailable ?? 0)
  }
}

extension RequestStatus {
  var json: JSONTree {
    var members: [JSONTree.Member] = [.init("request", .string(id)), .init("state", .string(state.rawValue))]
    func add(_ key: String, _ text: String?) { if let text { members.append(.init(key, .string(text))) } }
    add("reference", reference)
    add("title", title)
    add("channelId", channelID)
    add("playlistId", playlistID)
    members += [.init("pages", .int(pages)), .init("videos", .int(videos))]
    if let expected { members.append(.init("expected", .int(expected))) }
    members += [.init("unavailable", .int(unavailable)), .init("units", .int(units)), .init("searches", .int(searches))]
    add("begun", begun)
    add("cancelRequestedAt", cancelRequestedAt)
    if let last {
      members.append(
        .init(
          "lastEvent", ["type": .string(last.kind.rawValue), "stage": .string(last.stage.rawValue), "at": .string(last.at)]))
    }
    if let found {
      members.append(
        .init("found", ["channels": .int(found.channels), "videos": .int(found.videos), "playlists": .int(found.playlists)]))
    }
    add("truncatedBy", truncatedBy?.rawValue)
    if let error { members.append(.init("error", Self.tree(error))) }
    if !pageFailures.isEmpty {
      members.append(
        .init(
          "pageFailures",
          .array(
            pageFailures.sorted { $0.key < $1.key }.map { number, failure in
              .object([.init("pageNumber", .int(number)), .init("error", Self.tree(failure))])
            })))
    }
    return .object(members)
  }

  private static func tree(_ failure: RequestEvent.Failure) -> JSONTree {
    ["code": .string(failure.code), "message": .string(failure.message)]
  }
}
