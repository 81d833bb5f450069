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
    case waiting(CheckedContinuation<Outcome, Never>)
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
      state = .waiting(continuation)
      return nil
    }
    if let early { continuation.resume(returning: early) }
    return early == nil
  }

  var isFinished: Bool {
    state.withLock { if case .finished = $0 { true } else { false } }
  }

  func finish(_ outcome: Outcome) {
    let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      switch state {
      case .new:
        state = .finished(outcome)
        return nil
      case .waiting(let continuation):
        state = .finished(outcome)
        return continuation
      case .finished: return nil
      }
    }
    continuation?.resume(returning: outcome)
  }
}
