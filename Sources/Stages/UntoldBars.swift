import Synchronization

/// Listings with pages that were left out, of which the store does not know yet: this process moves no watermark for them.
final class UntoldBars: Sendable {
  private struct State {
    var startedUntil: [String: Int] = [:]
    var isTelling = false
  }

  private let state = Mutex(State())

  var all: [String: Int] { state.withLock(\.startedUntil) }

  func add(_ list: String, startedUntil time: Int) {
    state.withLock { $0.startedUntil[list] = max($0.startedUntil[list] ?? time, time) }
  }

  func covers(_ list: String, startedAt time: Int) -> Bool {
    state.withLock { $0.startedUntil[list].map { time <= $0 } ?? false }
  }

  func told(_ list: String, startedUntil time: Int) {
    state.withLock { if let known = $0.startedUntil[list], known <= time { $0.startedUntil[list] = nil } }
  }

  /// Whether nobody is about to tell them; then the caller has to, until `endTelling` says so.
  func beginTelling() -> Bool {
    state.withLock { state in
      guard !state.isTelling, !state.startedUntil.isEmpty else { return false }
      state.isTelling = true
      return true
    }
  }

  /// Ends the telling when none is left, and returns whether it has: whoever adds one has to begin again.
  func endTelling() -> Bool {
    state.withLock { state in
      state.isTelling = !state.startedUntil.isEmpty
      return !state.isTelling
    }
  }
}
