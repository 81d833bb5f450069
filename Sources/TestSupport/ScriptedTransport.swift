import Synchronization
public import YouTubeAPI

/// An HTTP transport in memory: answers from a list of steps, in order, and then by a handler; records every request.
public final class ScriptedTransport: HTTPTransport {
  public enum Step: Sendable {
    case answer(HTTPResponse)
    case fail(TransportError)
    /// Waits until the caller is cancelled.
    case hang

    /// An answer with a JSON text.
    public static func json(_ text: String, status: Int = 200, headers: [HTTPField] = []) -> Step {
      .answer(HTTPResponse(status: status, headers: headers, body: Array(text.utf8)))
    }
  }

  private struct State {
    var steps: [Step]
    var requests: [HTTPRequest] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Mutex<State>
  private let handler: @Sendable (HTTPRequest) async -> Step

  /// Without steps left and without a handler, requests fail as not answered.
  public init(
    _ steps: [Step] = [],
    handler: @escaping @Sendable (HTTPRequest) async -> Step = { _ in .fail(TransportError(.other, "the script is over")) }
  ) {
    state = Mutex(State(steps: steps))
    self.handler = handler
  }

  public var requests: [HTTPRequest] { state.withLock(\.requests) }

  /// Returns when that many requests have been made in all.
  public func waitForRequests(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.requests.count >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let (scripted, due) = record(request)
    for continuation in due { continuation.resume() }
    let step: Step
    if let scripted { step = scripted } else { step = await handler(request) }
    switch step {
    case .answer(let response): return response
    case .fail(let error): throw error
    case .hang:
      // A stream that never gives anything ends with the task's cancellation.
      let (never, _) = AsyncStream.makeStream(of: Never.self)
      for await _ in never {}
      throw TransportError(.cancelled)
    }
  }

  private func record(_ request: HTTPRequest) -> (Step?, [CheckedContinuation<Void, Never>]) {
    state.withLock { state in
      state.requests.append(request)
      let count = state.requests.count
      let due = state.waiters.filter { $0.count <= count }.map(\.continuation)
      state.waiters.removeAll { $0.count <= count }
      return (state.steps.isEmpty ? nil : state.steps.removeFirst(), due)
    }
  }
}
