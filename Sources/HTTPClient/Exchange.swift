import Synchronization
import YouTubeAPI

/// One request on its way to one outcome. The first outcome counts: a cancellation may race with the answer.
final class Exchange: Sendable {
  typealias Outcome = Result<HTTPResponse, TransportError>

  let request: HTTPRequest
  let url: String
  let limits: CurlTransport.Limits
  private let state = Mutex(State.new)

  private enum State {
    case new
    case waiting(CheckedContinuation<Outcome, Never>, isStarted: Bool)
    case finished(Outcome)
  }

  init(_ request: HTTPRequest, url: String, limits: CurlTransport.Limits) {
    self.request = request
    self.url = url
    self.limits = limits
  }

  /// Takes the caller's continuation. Returns whether the exchange is still wanted.
  func begin(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
    let early: Outcome? = state.withLock { state in
      if case .finished(let outcome) = state { return outcome }
      state = .waiting(continuation, isStarted: false)
      return nil
    }
    if let early { continuation.resume(returning: early) }
    return early == nil
  }

  /// It may be sent from now on. Returns whether it is still wanted.
  func start() -> Bool {
    state.withLock { state in
      guard case .waiting(let continuation, _) = state else { return false }
      state = .waiting(continuation, isStarted: true)
      return true
    }
  }

  func finish(_ outcome: Outcome) { finish(outcome, evenIfStarted: true) }

  /// Of one that is started the loop has to say whether anything has left.
  func cancelUnlessStarted() { finish(.failure(.cancelledInTime), evenIfStarted: false) }

  private func finish(_ outcome: Outcome, evenIfStarted: Bool) {
    let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      switch state {
      case .new:
        state = .finished(outcome)
        return nil
      case .waiting(let continuation, let isStarted):
        guard evenIfStarted || !isStarted else { return nil }
        state = .finished(outcome)
        return continuation
      case .finished: return nil
      }
    }
    continuation?.resume(returning: outcome)
  }
}
