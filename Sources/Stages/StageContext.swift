public import FoundationEssentials
import Messages
import Pipeline
import Telemetry
import YouTubeAPI

/// What every stage has beside the API: the time of day.
public struct StageContext: Sendable {
  let now: @Sendable () -> Date

  public init(now: @escaping @Sendable () -> Date = { Date() }) { self.now = now }

  var timestamp: String { Timestamp.rfc3339(now()) }

  func envelope(_ message: ReceivedMessage, _ stage: StageName, place: String? = nil) -> Envelope {
    var generator = RandomSource()
    return Envelope(answering: message, place: place, stage: stage, at: now(), using: &generator)
  }

  func isExpired(_ options: RequestOptions) -> Bool { options.expiresAt.map { $0 <= now() } ?? false }

  func event(_ kind: RequestEvent.Kind, _ requestID: String, stage: StageName) -> RequestEvent {
    RequestEvent(requestID: requestID, kind: kind, stage: stage, at: timestamp)
  }
}

extension StageFailure {
  /// The worker's reaction to a failed API call. "Not found" is a result and is caught before.
  init(_ failure: APIFailure) {
    switch failure {
    case .notFound(let error), .rejected(let error):
      self = .reject(Rejection(.invalidRequest, "The API refuses the request: \(error)"))
    case .transient(let error):
      self = .retry(after: error.retryAfter, Rejection(.attemptsExhausted, "The API failed: \(error)"))
    case .configuration(_, let fix): self = .stop(fix: fix)
    case .cancelled: self = .cancelled
    }
  }
}

extension ThumbnailSet {
  init(_ thumbnails: [Thumbnail]) {
    self.init(thumbnails.map { Picture(name: $0.name, url: $0.url, width: $0.width, height: $0.height) })
  }
}
