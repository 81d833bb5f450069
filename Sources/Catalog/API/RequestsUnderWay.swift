import Messages
import Synchronization

/// Ids of the requests that are being published. One process owns the database, so no other one publishes for it.
final class RequestsUnderWay: Sendable {
  private let ids = Mutex<Set<ExactText>>([])

  /// Whether nobody else is at it.
  func begin(_ id: String) -> Bool { ids.withLock { $0.insert(ExactText(id)).inserted } }

  func end(_ id: String) { ids.withLock { _ = $0.remove(ExactText(id)) } }
}
