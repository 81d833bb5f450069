import JSON
public import Messages
public import Pipeline
import Telemetry
public import YouTubeAPI

/// search-requests and search-continuations → channel-requests and playlist-pages: fetches one page of a search and asks for the next one.
///
/// Each page is a message of its own, since each costs one of a hundred searches a day: a failure or a crash repeats one page, not all.
public struct SearchStage: Stage {
  public let name = StageName.search
  public let inputs = StageOrder.inputs(.search)
  public let retriesInPlace = false
  public let skipsRepetitions = true

  private let client: YouTubeClient
  private let context: StageContext

  public init(client: YouTubeClient, context: StageContext = StageContext()) {
    self.client = client
    self.context = context
  }

  /// Others write the requests, with ids of their own making; a continuation that comes again would be a second chain of pages.
  public func skipsRepetition(of message: ReceivedMessage) -> Bool { message.cameFrom(.searchContinuations) }

  public func handle(_ message: ReceivedMessage) async throws(StageFailure) -> [OutgoingMessage] {
    let step = try read(message)
    let options = step.request.options
    let envelope = envelope(message, step)
    if let ending = context.ending(step.requestID, options) { return [envelope.seal(event(ending, step))] }
    let query = Self.query(step)
    let answer: SearchPage?
    do throws(APIFailure) {
      answer = try await context.unlessEnded(step.requestID, options) { () throws(APIFailure) in try await client.search(query) }
    } catch {
      return try unanswered(step, error, envelope)
    }
    guard let answer else { return [envelope.seal(event(context.ending(step.requestID, options) ?? .cancelled, step))] }
    return outputs(of: SearchCut(answer: answer, of: step), step, totalResults: answer.totalResults, envelope)
  }

  private func outputs(
    of cut: SearchCut, _ step: SearchContinuation, totalResults: Int?, _ envelope: Envelope
  ) -> [OutgoingMessage] {
    let items = cut.items
    let last = cut.nextPageToken == nil
    var next = step
    next.progress = cut.progress
    next.progress.totals.items += items.count
    if step.request.options.enrich && !items.isEmpty { next.progress.enrichments += 1 }
    let results = cut.results.map { Self.found($0, step) }
    var outputs = results.compactMap { Self.request($0, step) }.map { envelope.seal($0, at: "\(step.place)/\($0.target.text)") }
    // Its last page ends a search for videos, with all its records: also one that found none.
    let endsWithPage = step.request.kinds.contains(.video)
    if !items.isEmpty || (last && endsWithPage) {
      outputs.append(
        envelope.seal(
          PlaylistPage(
            listing: Self.listing(next), pageNumber: step.pageNumber, totalResults: totalResults, items: items, last: last,
            truncatedBy: cut.truncatedBy)))
    }
    var resolved = event(.resolved, next)
    resolved.pageNumber = step.pageNumber
    resolved.results = results
    outputs.append(envelope.seal(resolved))
    if let token = cut.nextPageToken {
      next.pageToken = token
      next.pageNumber += 1
      outputs.append(envelope.seal(next))
    } else if !endsWithPage {
      var completed = event(.completed, next)
      completed.truncatedBy = cut.truncatedBy
      outputs.append(envelope.seal(completed))
    }
    return outputs
  }

  private static func found(_ found: (position: Int, result: SearchResult), _ step: SearchContinuation) -> FoundResult {
    let id = found.result.id
    switch found.result.kind {
    case .video: return FoundResult(position: found.position, kind: .video, id: id)
    case .channel, .playlist:
      return FoundResult(
        position: found.position, kind: found.result.kind == .channel ? .channel : .playlist, id: id,
        requestID: SearchRequest.requestID(of: id, in: step.requestID))
    }
  }

  /// The request that is made of a result; `nil` for a video, which is an entry of the page.
  private static func request(_ found: FoundResult, _ step: SearchContinuation) -> ChannelRequest? {
    guard let requestID = found.requestID else { return nil }
    var options = step.request.options
    switch found.kind {
    case .video: return nil
    case .channel:
      return ChannelRequest(requestID: requestID, target: .id(found.id), options: options, key: Reference.id(found.id).normalised)
    case .playlist:
      // A list is walked whatever the search wants of channels.
      options.scope = .uploads
      return ChannelRequest(
        requestID: requestID, target: .playlist(found.id), options: options, key: Reference.playlist(found.id).normalised)
    }
  }

  private static func listing(_ step: SearchContinuation) -> Listing {
    var listing = Listing(
      requestID: step.requestID, reference: step.request.reference, source: .search, playlistID: nil, totals: step.progress.totals,
      enrichments: step.progress.enrichments, options: step.request.options)
    listing.found = step.progress.found
    return listing
  }

  /// Always whole pages: they cost the same, and what is too much is cut.
  private static func query(_ step: SearchContinuation) -> SearchQuery {
    let request = step.request
    var query = SearchQuery(
      text: request.query, kinds: request.kinds.compactMap { SearchResult.Kind(rawValue: $0.rawValue) }, maxResults: 50,
      publishedAfter: request.publishedAfter.map(Timestamp.rfc3339), publishedBefore: request.publishedBefore.map(Timestamp.rfc3339),
      pageToken: step.pageToken)
    query.filters = SearchParameter.allCases.compactMap { parameter in
      request.parameters[parameter].map { HTTPField(parameter.rawValue, $0) }
    }
    return query
  }

  private func unanswered(_ step: SearchContinuation, _ failure: APIFailure, _ envelope: Envelope) throws(StageFailure)
    -> [OutgoingMessage]
  {
    guard case .notFound(let error) = failure else { throw StageFailure(failure) }
    // What was found so far may not pass for the whole.
    var ending = event(step.pageNumber == 1 ? .notFound : .failed, step)
    ending.totals?.searches += 1
    ending.error = RequestEvent.Failure(code: error.reason, message: error.message)
    return [envelope.seal(ending)]
  }

  public func farewell(to message: ReceivedMessage, because rejection: Rejection) -> [OutgoingMessage] {
    let step = try? read(message)
    let isFirst = !message.cameFrom(.searchContinuations)
    let envelope = context.envelope(message, name, place: isFirst ? nil : step?.place)
    let told = rejection.requestID ?? step?.requestID ?? UnusableRequest(message.value).requestID
    // Without an id, a continuation is nobody's; a request is called by its place.
    guard let requestID = told ?? (isFirst ? message.origin : nil) else { return [] }
    // Attempts that are used up and results that the broker refuses are our failure, and a search that is under way was usable.
    let isOurs = !isFirst || rejection.code == .attemptsExhausted || rejection.code == .messageTooLarge
    var ending = step.map { event(isOurs ? .failed : .rejected, $0) } ?? context.event(isOurs ? .failed : .rejected, requestID, stage: name)
    if rejection.isAnswer { ending.totals?.searches += 1 }
    ending.error = RequestEvent.Failure(code: rejection.code.rawValue, message: rejection.message)
    return [envelope.seal(ending)]
  }

  private func envelope(_ message: ReceivedMessage, _ step: SearchContinuation) -> Envelope {
    context.envelope(message, name, place: message.cameFrom(.searchContinuations) ? step.place : nil)
  }

  /// A request is its own first page.
  private func read(_ message: ReceivedMessage) throws(StageFailure) -> SearchContinuation {
    do throws(PayloadError) {
      if message.cameFrom(.searchContinuations) {
        guard let value = message.value else { throw PayloadError(.tombstone, "A null value is no continuation.") }
        return try SearchContinuation(json: JSONDocument.reading(value).root)
      }
      let request = try SearchRequest(value: message.value)
      return SearchContinuation(request: request, requestID: request.requestID ?? message.origin)
    } catch {
      throw .reject(Rejection(error.code, error.message, requestID: UnusableRequest(message.value).requestID))
    }
  }

  private func event(_ kind: RequestEvent.Kind, _ step: SearchContinuation) -> RequestEvent {
    var event = context.event(kind, step.requestID, stage: name)
    event.reference = step.request.reference
    event.totals = step.progress.totals
    event.totals?.units += step.progress.enrichments
    event.found = step.progress.found
    return event
  }
}
