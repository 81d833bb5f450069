import FoundationEssentials
import Synchronization

/// One request on its way: collects the body, and ends exactly once, whoever ends it first.
final class Exchange: Sendable {
  typealias Outcome = Result<HTTPResponse, TransportError>

  private struct State {
    var continuation: CheckedContinuation<Outcome, Never>?
    /// Set when it has ended.
    var outcome: Outcome?
    var body: [UInt8] = []
  }

  private let state = Mutex(State())
  private let maximumBodySize: Int

  init(maximumBodySize: Int) { self.maximumBodySize = maximumBodySize }

  /// False if it has ended before, and the request need not be sent.
  func begin(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.continuation = continuation }
      return state.outcome
    }
    if let outcome { continuation.resume(returning: outcome) }
    return outcome == nil
  }

  /// False if the body has become too large.
  func append(_ data: Data) -> Bool {
    state.withLock { state in
      guard state.outcome == nil else { return true }
      guard state.body.count + data.count <= maximumBodySize else { return false }
      state.body.append(contentsOf: data)
      return true
    }
  }

  func fail(_ error: TransportError) { end { _ in .failure(error) } }

  func succeed(status: Int, headers: [HTTPField]) {
    end { .success(HTTPResponse(status: status, headers: headers, body: $0)) }
  }

  private func end(_ outcome: (_ body: [UInt8]) -> Outcome) {
    let ended = state.withLock { state -> (CheckedContinuation<Outcome, Never>, Outcome)? in
      guard state.outcome == nil else { return nil }
      let result = outcome(state.body)
      state.body = []
      state.outcome = result
      defer { state.continuation = nil }
      return state.continuation.map { ($0, result) }
    }
    if let (continuation, result) = ended { continuation.resume(returning: result) }
  }
}
