import JSON
public import Messages
public import Pipeline
public import YouTubeAPI

/// channel-details and playlist-requests → playlist-pages: fetches one page of a listing and asks for the next one.
public struct PlaylistsStage: Stage {
  public let name = StageName.playlists
  public let inputs = StageOrder.inputs(.playlists)
  public let retriesInPlace = false
  public let skipsRepetitions = true

  private let client: YouTubeClient
  private let watermarks: Watermarks?
  private let context: StageContext

  /// - Parameter watermarks: without them every listing reads the whole list.
  public init(client: YouTubeClient, watermarks: Watermarks? = nil, context: StageContext = StageContext()) {
    self.client = client
    self.watermarks = watermarks
    self.context = context
  }

  public func handle(_ message: ReceivedMessage) async throws(StageFailure) -> [OutgoingMessage] {
    // A tombstone says that a channel's details are gone, which is no request.
    guard let value = message.value else { return [] }
    guard let request = try read(value, message) else { return [] }
    let envelope = context.envelope(message, name, place: place(message, request))
    let listing = request.listing
    if let ending = context.ending(listing.requestID, listing.options) { return [envelope.seal(event(ending, listing))] }
    guard let playlistID = listing.playlistID else {
      return [envelope.seal(PlaylistPage(listing: listing, pageNumber: request.pageNumber, totalResults: 0, items: [], last: true))]
    }
    var begun = request
    // Only uploads are in an order in which what is new comes first.
    if request.pageNumber == 1 && listing.source == .uploads {
      try await watermarks?.begin(&begun.listing, of: playlistID, context)
      if let ending = context.ending(listing.requestID, listing.options) { return [envelope.seal(event(ending, listing))] }
    }
    let answer: PlaylistItemPage?
    do throws(APIFailure) {
      answer = try await context.unlessEnded(listing.requestID, listing.options) { () throws(APIFailure) in
        try await client.playlistItems(playlistID: playlistID, pageToken: request.pageToken, maxResults: 50)
      }
    } catch {
      return try unanswered(request, error, envelope)
    }
    guard let answer else { return [envelope.seal(event(context.ending(listing.requestID, listing.options) ?? .cancelled, listing))] }
    try Self.checkProgress(request, answer)
    return outputs(of: answer, begun, envelope)
  }

  // A server's loop: going on would never end, and ending would pass a part of the list for the whole.
  private static func checkProgress(_ request: PlaylistRequest, _ answer: PlaylistItemPage) throws(StageFailure) {
    guard let next = answer.nextPageToken, !next.isEmpty else { return }
    // Pages may be short, and the list may grow meanwhile; not to twice its length.
    let most = answer.totalResults.map { $0 / 25 + 20 } ?? .max
    if next == request.pageToken || request.pageNumber > most {
      throw .retry(after: nil, Rejection(.attemptsExhausted, "The API's pages go in circles: page \(request.pageNumber) is not the last."))
    }
  }

  private func outputs(of answer: PlaylistItemPage, _ request: PlaylistRequest, _ envelope: Envelope) -> [OutgoingMessage] {
    let cut = ListingCut(answer: answer, request: request, remembered: watermarks?.policy.remembered ?? 0)
    let last = cut.nextPageToken == nil
    var listing = request.listing
    listing.newest = cut.newest
    listing.refresh = cut.refresh
    listing.totals.pages += 1
    listing.totals.items += cut.items.count
    listing.totals.units += 1
    if listing.options.enrich && cut.items.contains(where: { $0.availability.mayBeLookedUp }) { listing.enrichments += 1 }
    var page = PlaylistPage(
      listing: listing, pageNumber: request.pageNumber, totalResults: answer.totalResults, items: cut.items, last: last,
      truncatedBy: cut.truncatedBy)
    // Later stages need no more of it than what the last page makes known.
    page.listing.refresh = nil
    if last { page.fullPass = cut.newest != nil && cut.refresh == nil } else { page.listing.newest = nil }
    var outputs = [envelope.seal(page)]
    if let token = cut.nextPageToken {
      outputs.append(envelope.seal(PlaylistRequest(listing: listing, pageToken: token, pageNumber: request.pageNumber + 1)))
    }
    return outputs
  }

  /// A list that is not there.
  private func unanswered(_ request: PlaylistRequest, _ failure: APIFailure, _ envelope: Envelope) throws(StageFailure)
    -> [OutgoingMessage]
  {
    guard case .notFound(let error) = failure else { throw StageFailure(failure) }
    var listing = request.listing
    listing.totals.units += 1
    // A channel without public uploads has no list, which is an empty result. A list that vanishes between two pages is none: what was
    // listed so far may not pass for the whole.
    if listing.source == .playlist || request.pageNumber > 1 {
      var ending = event(request.pageNumber == 1 ? .notFound : .failed, listing)
      ending.error = RequestEvent.Failure(code: error.reason, message: error.message)
      return [envelope.seal(ending)]
    }
    return [envelope.seal(PlaylistPage(listing: listing, pageNumber: request.pageNumber, totalResults: 0, items: [], last: true))]
  }

  public func farewell(to message: ReceivedMessage, because rejection: Rejection) -> [OutgoingMessage] {
    let request = message.value.flatMap { try? read($0, message) }
    let envelope = context.envelope(message, name, place: request.map { place(message, $0) })
    guard let requestID = rejection.requestID ?? request?.listing.requestID ?? UnusableRequest(message.value).requestID else {
      return []
    }
    var failed = context.event(.failed, requestID, stage: name)
    failed.reference = request?.listing.reference
    failed.channelID = request?.listing.channelID
    failed.playlistID = request?.listing.playlistID
    failed.pageNumber = request?.pageNumber
    failed.totals = request?.listing.cost
    if rejection.isAnswer { failed.totals?.units += 1 }
    failed.error = RequestEvent.Failure(code: rejection.code.rawValue, message: rejection.message)
    return [envelope.seal(failed)]
  }

  /// The page to fetch; `nil` for details of a request that wants no listing.
  private func read(_ value: [UInt8], _ message: ReceivedMessage) throws(StageFailure) -> PlaylistRequest? {
    do throws(PayloadError) {
      let json = try JSONDocument.reading(value).root
      guard message.cameFrom(.channelDetails) else { return try PlaylistRequest(json: json) }
      let details = try ChannelDetails(json: json)
      guard details.options.scope == .uploads else { return nil }
      return PlaylistRequest(
        listing: Listing(
          requestID: details.requestID, reference: details.reference, source: .uploads, playlistID: details.uploadsPlaylistID,
          channelID: details.channelID, channelTitle: details.title, totals: details.totals, options: details.options))
    } catch {
      throw .reject(Rejection(error.code, error.message, requestID: UnusableRequest(value).requestID))
    }
  }

  private func place(_ message: ReceivedMessage, _ request: PlaylistRequest) -> String {
    message.cameFrom(.channelDetails) ? ChannelDetails.place : request.place
  }

  private func event(_ kind: RequestEvent.Kind, _ listing: Listing) -> RequestEvent {
    var event = context.event(kind, listing.requestID, stage: name)
    event.reference = listing.reference
    event.channelID = listing.channelID
    event.playlistID = listing.playlistID
    event.totals = listing.cost
    return event
  }
}

extension Listing {
  /// The sums with the lookups that the videos stage makes for the pages so far.
  var cost: Totals {
    var totals = totals
    totals.units += enrichments
    return totals
  }
}

extension JSONDocument {
  /// A message of an internal topic.
  static func reading(_ value: [UInt8]) throws(PayloadError) -> JSONDocument {
    do throws(JSONError) { return try JSONDocument.parse(value) } catch {
      throw PayloadError(.invalidMessage, "The message is no JSON: \(error.reason)")
    }
  }
}
