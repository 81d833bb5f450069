import Messages
import Synchronization

/// The requests that somebody has cancelled, as far as this process has heard.
public final class CancelledRequests: Sendable {
  private struct State: Sendable {
    var known: Set<ExactText> = []
    var waiting: [Int: (requestID: ExactText, continuation: CheckedContinuation<Void, Never>)] = [:]
    var nextTicket = 0
  }

  private let state = Mutex(State())

  public init() {}

  public func contains(_ requestID: String) -> Bool { state.withLock { $0.known.contains(ExactText(requestID)) } }

  /// Returns whether it is news.
  @discardableResult
  public func insert(_ requestID: String) -> Bool {
    let requestID = ExactText(requestID)
    let (isNew, waiting) = state.withLock { state in
      let isNew = state.known.insert(requestID).inserted
      let tickets = state.waiting.filter { $0.value.requestID == requestID }.keys
      return (isNew, tickets.compactMap { state.waiting.removeValue(forKey: $0)?.continuation })
    }
    for continuation in waiting { continuation.resume() }
    return isNew
  }

  /// Returns when the request is cancelled, or when the task is.
  func wait(for requestID: String) async {
    let requestID = ExactText(requestID)
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          guard !Task.isCancelled, !state.known.contains(requestID) else { return false }
          state.waiting[ticket] = (requestID, continuation)
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.continuation.resume()
    }
  }
}
