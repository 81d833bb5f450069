import FoundationEssentials
import Quota
import Synchronization

/// Looks at the ledger that the workers spend from.
final class QuotaWatch: Sendable {
  private struct State {
    var startSpent: Int?
    var today: BucketStatus?
    /// Spent since the start on days that are over.
    var earlier = 0
  }

  private let store: any QuotaStore
  private let policy: QuotaPolicy
  private let state = Mutex(State())

  init(url: String, policy: QuotaPolicy) async throws {
    store = try await Ledger.open(url)
    self.policy = policy
  }

  /// Reads the default bucket; a store that does not answer leaves the last reading.
  func update() async {
    guard let status = try? await store.status(policy).first(where: { $0.bucket == .default }) else { return }
    state.withLock { state in
      if state.startSpent == nil { state.startSpent = status.spent }
      if let before = state.today, before.resetsAt < status.resetsAt {
        state.earlier += max(0, before.spent - (state.startSpent ?? 0))
        state.startSpent = 0
      }
      state.today = status
    }
  }

  var reading: ProgressView.Quota? {
    state.withLock { state in
      guard let today = state.today, let start = state.startSpent else { return nil }
      let untilReset = max(0, today.resetsAt.timeIntervalSinceNow)
      return ProgressView.Quota(
        spent: state.earlier + max(0, today.spent - start), left: today.remaining, untilReset: .seconds(Int(untilReset)))
    }
  }

  func close() async { await store.close() }
}
