import Messages
import Synchronization

/// Requests of which this process has left a page out, and how each of them ended: its last page may have been handled before.
final class LeftOutPages: Sendable {
  // More than the requests whose pages one worker can have in its hands.
  private static let most = 10_000

  private struct State {
    var endings: [ExactText: RequestEvent.Kind] = [:]
    var order: [ExactText] = []
  }

  private let state = Mutex(State())

  func note(_ requestID: String, _ ending: RequestEvent.Kind) {
    let id = ExactText(requestID)
    state.withLock { state in
      guard state.endings.updateValue(ending, forKey: id) == nil else { return }
      state.order.append(id)
      guard state.order.count > 2 * Self.most else { return }
      for old in state.order.prefix(Self.most) { state.endings[old] = nil }
      state.order.removeFirst(Self.most)
    }
  }

  func ending(of requestID: String) -> RequestEvent.Kind? { state.withLock { $0.endings[ExactText(requestID)] } }

  var isEmpty: Bool { state.withLock(\.endings.isEmpty) }
}
