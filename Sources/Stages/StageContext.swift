public import FoundationEssentials
import Messages
import Pipeline
import Telemetry
import YouTubeAPI

/// What every stage has beside the API: the time of day, and the requests that are not wanted any more.
public struct StageContext: Sendable {
  let now: @Sendable () -> Date
  let sleep: @Sendable (_ seconds: TimeInterval) async -> Void
  let cancelled: CancelledRequests

  public init(
    cancelled: CancelledRequests = CancelledRequests(), now: @escaping @Sendable () -> Date = { Date() },
    sleep: @escaping @Sendable (_ seconds: TimeInterval) async -> Void = { try? await Task.sleep(for: .seconds(max(0, $0))) }
  ) {
    self.cancelled = cancelled
    self.now = now
    self.sleep = sleep
  }

  var timestamp: String { Timestamp.rfc3339(now()) }

  func envelope(_ message: ReceivedMessage, _ stage: StageName, place: String? = nil) -> Envelope {
    var generator = RandomSource()
    return Envelope(answering: message, place: place, stage: stage, at: now(), using: &generator)
  }

  func event(_ kind: RequestEvent.Kind, _ requestID: String, stage: StageName) -> RequestEvent {
    RequestEvent(requestID: requestID, kind: kind, stage: stage, at: timestamp)
  }
}

extension StageFailure {
  /// The worker's reaction to a failed API call. "Not found" is a result and is caught before.
  init(_ failure: APIFailure) {
    switch failure {
    case .notFound(let error), .rejected(let error):
      self = .reject(Rejection(.invalidRequest, "The API refuses the request: \(error)", isAnswer: true))
    case .transient(let error):
      self = .retry(after: error.retryAfter, Rejection(.attemptsExhausted, "The API failed: \(error)"))
    case .configuration(_, let fix): self = .stop(fix: fix)
    case .cancelled: self = .cancelled
    case .quota(let time): self = .postpone(until: time, Rejection(.attemptsExhausted, "There is no quota for this call before the reset."))
    }
  }
}

extension ThumbnailSet {
  init(_ thumbnails: [Thumbnail]) {
    self.init(thumbnails.map { Picture(name: $0.name, url: $0.url, width: $0.width, height: $0.height) })
  }
}
