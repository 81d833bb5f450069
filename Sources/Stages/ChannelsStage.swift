public import Messages
public import Pipeline
public import YouTubeAPI

/// channel-requests → channel-details: finds the channel that a request names.
public struct ChannelsStage: Stage {
  public let name = StageName.channels
  public let inputs = StageOrder.inputs(.channels)
  public let retriesInPlace = false
  public let skipsRepetitions = true

  private let resolver: ChannelResolver
  private let context: StageContext

  public init(client: YouTubeClient, batcher: ChannelBatcher, context: StageContext = StageContext()) {
    resolver = ChannelResolver(client: client, batcher: batcher)
    self.context = context
  }

  /// Others write its topic, too, with ids of their own making. What the search stage writes may come twice, and would cost twice.
  public func skipsRepetition(of message: ReceivedMessage) -> Bool {
    message.headers[HeaderName.source] == HeaderName.ownSource + StageName.search.rawValue
  }

  public func handle(_ message: ReceivedMessage) async throws(StageFailure) -> [OutgoingMessage] {
    let request = try read(message)
    let requestID = request.requestID ?? message.origin
    let reference = try parse(request, requestID: requestID)
    let envelope = context.envelope(message, name)
    if let ending = context.ending(requestID, request.options) { return [envelope.seal(event(ending, requestID, request))] }
    switch reference {
    case .playlist(let id):
      let listing = Listing(
        requestID: requestID, reference: request.target.text, source: .playlist, playlistID: id, options: request.options)
      return [envelope.seal(PlaylistRequest(listing: listing))]
    case .video(let id) where request.options.scope == .video:
      return [envelope.seal(page(ofVideo: id, requestID, request))]
    default:
      // No later stage would end such a request.
      guard request.options.scope != .video else {
        throw .reject(Rejection(.invalidRequest, "\"scope\": \"video\" needs a video; this names a channel.", requestID: requestID))
      }
      return try await resolve(reference, requestID, request, envelope)
    }
  }

  private func resolve(
    _ reference: Reference, _ requestID: String, _ request: ChannelRequest, _ envelope: Envelope
  ) async throws(StageFailure) -> [OutgoingMessage] {
    let answer: ChannelResolver.Resolution?
    do throws(APIFailure) {
      answer = try await context.unlessEnded(requestID, request.options) { () throws(APIFailure) in
        try await resolver.resolve(reference, allowSearch: request.options.allowSearch)
      }
    } catch { throw StageFailure(error) }
    guard let resolution = answer else {
      return [envelope.seal(event(context.ending(requestID, request.options) ?? .cancelled, requestID, request))]
    }
    guard let channel = resolution.channel else {
      var missing = event(.notFound, requestID, request)
      missing.totals = resolution.totals
      return [envelope.seal(missing)]
    }
    let details = details(channel, resolution, requestID, request)
    var resolved = event(.resolved, requestID, request)
    resolved.channelID = channel.id
    resolved.title = channel.title
    resolved.videoCount = channel.videoCount
    resolved.playlistID = channel.uploadsPlaylistID
    var outputs = [envelope.seal(details), envelope.seal(resolved)]
    if request.options.scope == .details {
      var completed = event(.completed, requestID, request)
      completed.channelID = channel.id
      completed.totals = details.totals
      outputs.append(envelope.seal(completed))
    }
    return outputs
  }

  public func farewell(to message: ReceivedMessage, because rejection: Rejection) -> [OutgoingMessage] {
    let request = try? ChannelRequest(value: message.value)
    let requestID = rejection.requestID ?? request?.requestID ?? message.origin
    var event = context.event(Self.isOurs(rejection.code) ? .failed : .rejected, requestID, stage: name)
    event.reference = request.map { String($0.target.text.prefix(Self.longestReference)) }
    // Which of its calls the API refused is not known here: most often the first.
    if rejection.isAnswer { event.totals = Totals(units: 1) }
    event.error = RequestEvent.Failure(code: rejection.code.rawValue, message: rejection.message)
    let envelope = context.envelope(message, name)
    return [envelope.seal(event)]
  }

  // Attempts that are used up and results that the broker refuses are our failure, everything else is the request's.
  private static func isOurs(_ code: DeadLetterCode) -> Bool { code == .attemptsExhausted || code == .messageTooLarge }

  // References are at most a URL; a pasted megabyte is not repeated in an event.
  private static let longestReference = 2000

  private func read(_ message: ReceivedMessage) throws(StageFailure) -> ChannelRequest {
    do throws(PayloadError) { return try ChannelRequest(value: message.value) } catch {
      throw .reject(Rejection(error.code, error.message, requestID: UnusableRequest(message.value).requestID))
    }
  }

  private func parse(_ request: ChannelRequest, requestID: String) throws(StageFailure) -> Reference {
    let form: ReferenceForm =
      switch request.target {
      case .channel: .channel
      case .id: .id
      case .handle: .handle
      case .username: .username
      case .url: .url
      case .video: .video
      case .playlist: .playlist
      }
    do throws(ReferenceError) {
      return try Reference.parse(request.target.text, as: form, allowSearch: request.options.allowSearch)
    } catch {
      let code: DeadLetterCode = error.code == .emptyMessage ? .emptyMessage : .unknownReference
      throw .reject(Rejection(code, error.message, requestID: requestID))
    }
  }

  private func event(_ kind: RequestEvent.Kind, _ requestID: String, _ request: ChannelRequest) -> RequestEvent {
    var event = context.event(kind, requestID, stage: name)
    event.reference = request.target.text
    return event
  }

  private func details(
    _ channel: Channel, _ resolution: ChannelResolver.Resolution, _ requestID: String, _ request: ChannelRequest
  ) -> ChannelDetails {
    var details = ChannelDetails(
      requestID: requestID, reference: request.target.text, resolvedBy: resolution.by, channelID: channel.id, fetchedAt: context.timestamp)
    details.title = channel.title
    details.description = channel.description
    details.customURL = channel.customUrl
    details.publishedAt = channel.publishedAt
    details.country = channel.country
    details.thumbnails = ThumbnailSet(channel.thumbnails)
    details.uploadsPlaylistID = channel.uploadsPlaylistID
    details.statistics = ChannelDetails.Statistics(
      viewCount: channel.viewCount, subscriberCount: channel.subscriberCount, hiddenSubscriberCount: channel.hiddenSubscriberCount,
      videoCount: channel.videoCount)
    details.totals = resolution.totals
    details.options = request.options
    details.etag = channel.etag
    return details
  }

  // One video needs no channel: it is a listing of one page with one entry.
  private func page(ofVideo id: String, _ requestID: String, _ request: ChannelRequest) -> PlaylistPage {
    let listing = Listing(
      requestID: requestID, reference: request.target.text, source: .video, playlistID: nil, totals: Totals(pages: 1, items: 1),
      enrichments: 1,
      options: request.options)
    return PlaylistPage(listing: listing, pageNumber: 1, totalResults: 1, items: [PlaylistPage.Item(videoID: id)], last: true)
  }
}
