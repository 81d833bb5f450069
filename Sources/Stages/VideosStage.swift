import JSON
public import Messages
public import Pipeline
public import YouTubeAPI

/// playlist-pages → video-records: one record for each entry of a page, and the request's end with the last page.
public struct VideosStage: Stage {
  public let name = StageName.videos
  public let inputs = StageOrder.inputs(.videos)
  public let retriesInPlace = true
  public let skipsRepetitions = true

  /// videos.list takes no more ids in one call.
  private static let idsPerCall = 50

  private let client: YouTubeClient
  private let watermarks: Watermarks?
  private let context: StageContext
  private let leftOut = LeftOutPages()

  public init(client: YouTubeClient, watermarks: Watermarks? = nil, context: StageContext = StageContext()) {
    self.client = client
    self.watermarks = watermarks
    self.context = context
  }

  public func handle(_ message: ReceivedMessage) async throws(StageFailure) -> [OutgoingMessage] {
    guard let value = message.value else { return [] }
    let page = try read(value)
    let envelope = context.envelope(message, name, place: page.place)
    if let kind = context.ending(page.listing.requestID, page.listing.options) { return await ended(page, kind, envelope) }
    let found: [String: Video]?
    switch try await lookUp(page) {
    case .ended: return await ended(page, context.ending(page.listing.requestID, page.listing.options) ?? .cancelled, envelope)
    case .notWanted: found = nil
    case .videos(let videos): found = videos
    }
    if page.listing.source == .video && found?.isEmpty == true { return [envelope.seal(ending(.notFound, page))] }
    return outputs(page, found, envelope)
  }

  // One terminal event a request: the last page's, since no page follows that could say more. Where no last page comes, the playlists
  // stage has ended the request.
  private func ended(_ page: PlaylistPage, _ kind: RequestEvent.Kind, _ envelope: Envelope) async -> [OutgoingMessage] {
    if page.last { return [envelope.seal(ending(kind, page))] }
    leftOut.note(page.listing.requestID, kind)
    // Whoever handles the last page may have another clock, or not know yet that the request was cancelled.
    await watermarks?.leftOut(page)
    return []
  }

  /// The last page may have been handled before an earlier one was left out: then not all of the request is there.
  public func conclude(_ outputs: [OutgoingMessage], of message: ReceivedMessage) -> [OutgoingMessage] {
    guard !leftOut.isEmpty, let place = outputs.lastIndex(where: Self.isCompletion), let value = message.value,
      let page = try? read(value), let kind = leftOut.ending(of: page.listing.requestID)
    else { return outputs }
    var event = ending(.completed, page)
    event.kind = kind
    var outputs = outputs
    outputs[place] = context.envelope(message, name, place: page.place).seal(event)
    return outputs
  }

  private func outputs(_ page: PlaylistPage, _ found: [String: Video]?, _ envelope: Envelope) -> [OutgoingMessage] {
    let fetchedAt = context.timestamp
    var outputs: [OutgoingMessage] = []
    outputs.reserveCapacity(page.items.count + 2)
    var available = 0
    for (index, item) in page.items.enumerated() {
      let record = VideoRecord(item, page.listing, found, fetchedAt: fetchedAt)
      if record.availability.isAvailable { available += 1 }
      outputs.append(envelope.seal(record, at: "\(page.place)/\(index + 1)"))
    }
    if !page.items.isEmpty {
      var event = pageEvent(.page, page)
      event.records = page.items.count
      event.available = available
      event.unavailable = page.items.count - available
      event.totals = totals(page)
      outputs.append(envelope.seal(event))
    }
    if page.last { outputs.append(envelope.seal(ending(.completed, page))) }
    return outputs
  }

  private enum LookUp {
    case notWanted
    case videos([String: Video])
    case ended
  }

  private func lookUp(_ page: PlaylistPage) async throws(StageFailure) -> LookUp {
    guard Self.wantsLookUp(page) else { return .notWanted }
    let batches = Self.idBatches(of: page)
    let listing = page.listing
    do throws(APIFailure) {
      let found = try await context.unlessEnded(listing.requestID, listing.options) { () throws(APIFailure) in try await videos(batches) }
      return found.map { .videos($0) } ?? .ended
    } catch { throw StageFailure(error) }
  }

  private func videos(_ batches: [[String]]) async throws(APIFailure) -> [String: Video] {
    var found: [String: Video] = [:]
    for ids in batches {
      do throws(APIFailure) {
        for video in try await client.videos(ids: ids) { found[video.id] = video }
      } catch {
        // "Not found" for a whole call is what the API may say when none of the ids is known.
        guard case .notFound = error else { throw error }
      }
    }
    return found
  }

  private static func wantsLookUp(_ page: PlaylistPage) -> Bool { page.listing.options.enrich || page.listing.source == .video }

  /// The ids of each videos.list call that a page takes.
  private static func idBatches(of page: PlaylistPage) -> [[String]] {
    guard wantsLookUp(page) else { return [] }
    var seen = Set<String>()
    let ids = page.items.filter { $0.availability.mayBeLookedUp }.map(\.videoID).filter { seen.insert($0).inserted }
    return stride(from: 0, to: ids.count, by: idsPerCall).map { Array(ids[$0..<min($0 + idsPerCall, ids.count)]) }
  }

  // The playlists stage counts one call a page. A message that somebody else wrote may count none, or hold more ids than one call takes.
  private static func enrichmentUnits(_ page: PlaylistPage) -> Int {
    let calls = idBatches(of: page).count
    return max(page.listing.enrichments, min(calls, 1)) + max(calls - 1, 0)
  }

  public func farewell(to message: ReceivedMessage, because rejection: Rejection) -> [OutgoingMessage] {
    let page = message.value.flatMap { try? read($0) }
    let envelope = context.envelope(message, name, place: page?.place)
    let error = RequestEvent.Failure(code: rejection.code.rawValue, message: rejection.message)
    guard let page else {
      guard let requestID = UnusableRequest(message.value).requestID else { return [] }
      var failed = context.event(.failed, requestID, stage: name)
      failed.error = error
      return [envelope.seal(failed)]
    }
    var failed = pageEvent(.pageFailed, page)
    failed.error = error
    return [envelope.seal(failed)] + (page.last ? [envelope.seal(ending(.completed, page))] : [])
  }

  /// Pages of a list are delivered in order, so the watermark moves when all records of the listing are published, and never when a page
  /// of it was given up.
  public func delivered(_ message: ReceivedMessage, _ outputs: [OutgoingMessage]) async {
    guard let watermarks, let value = message.value else { return }
    let isGivenUp = outputs.contains { $0.topic == .dead(name) }
    guard isGivenUp || outputs.last.map(Self.isCompletion) == true, let page = try? read(value) else { return }
    if isGivenUp { await watermarks.leftOut(page) } else { await watermarks.completed(page) }
  }

  private static func isCompletion(_ output: OutgoingMessage) -> Bool {
    guard output.topic == RequestEvent.topic, let document = output.value.flatMap({ try? JSONDocument.parse($0) }) else { return false }
    return document.root["type"]?.string == RequestEvent.Kind.completed.rawValue
  }

  private func read(_ value: [UInt8]) throws(StageFailure) -> PlaylistPage {
    do throws(PayloadError) { return try PlaylistPage(json: JSONDocument.reading(value).root) } catch {
      throw .reject(Rejection(error.code, error.message))
    }
  }

  private func pageEvent(_ kind: RequestEvent.Kind, _ page: PlaylistPage) -> RequestEvent {
    var event = context.event(kind, page.listing.requestID, stage: name)
    event.channelID = page.listing.channelID
    event.playlistID = page.listing.playlistID
    event.pageNumber = page.pageNumber
    return event
  }

  private func ending(_ kind: RequestEvent.Kind, _ page: PlaylistPage) -> RequestEvent {
    var event = context.event(kind, page.listing.requestID, stage: name)
    event.reference = page.listing.reference
    event.channelID = page.listing.channelID
    event.playlistID = page.listing.playlistID
    // Nothing is looked up for a request that has ended.
    event.totals = totals(page, isLookedUp: kind != .expired && kind != .cancelled)
    event.truncatedBy = page.truncatedBy
    event.found = page.listing.found
    return event
  }

  private func totals(_ page: PlaylistPage, isLookedUp: Bool = true) -> Totals {
    guard isLookedUp else { return page.listing.cost }
    var totals = page.listing.totals
    totals.units += Self.enrichmentUnits(page)
    return totals
  }
}
