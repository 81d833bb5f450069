import Quota
import Synchronization
import YouTubeAPI

/// Lets calls through as the ledger grants them now; a command that a person waits for does not wait until midnight.
final class OneShotGate: CallGate {
  private let store: any QuotaStore
  private let policy: QuotaPolicy
  private let spentUnits = Mutex<[Bucket: Int]>([:])
  private let refusalText = Mutex<String?>(nil)

  init(store: any QuotaStore, policy: QuotaPolicy) {
    self.store = store
    self.policy = policy
  }

  /// Why a call was not let through; nil when all were.
  var refusal: String? { refusalText.withLock { $0 } }

  var spent: [Bucket: Int] { spentUnits.withLock { $0 } }

  func admit(_ method: APIMethod) async throws(CallRefusal) -> CallPermit {
    let cost = CallCost.of(method.rawValue) ?? CallCost(bucket: .default, units: 1)
    do throws(QuotaStoreError) {
      switch try await store.reserve(cost.bucket, cost: cost.units, policy: policy) {
      case .granted(let grant):
        spentUnits.withLock { $0[cost.bucket, default: 0] += cost.units }
        return CallPermit(method: method, token: grant)
      case .denied(let denial):
        let wait = QuotaWait(bucket: cost.bucket.rawValue, reason: denial.reason.rawValue, until: nil)
        refuse("\(wait.text), bucket \(cost.bucket); units are granted in \(Spans.short(denial.retryAfter))")
      }
    } catch {
      refuse("the quota store: \(error.message)")
    }
    throw .cancelled
  }

  func refund(_ permit: CallPermit) async {
    guard let grant = permit.token as? Grant else { return }
    spentUnits.withLock { $0[grant.bucket, default: 0] -= grant.cost }
    // The worst that can happen is a unit that counts as spent.
    try? await store.refund(grant)
  }

  func exhausted(_ permit: CallPermit) async {
    guard let grant = permit.token as? Grant else { return }
    refuse("YouTube says that the day's units of bucket \(grant.bucket) are used up")
    do throws(QuotaStoreError) { try await store.exhaust(grant.bucket, day: grant.day, policy: policy) } catch {
      refuse("the quota store: \(error.message)")
    }
  }

  private func refuse(_ reason: String) { refusalText.withLock { $0 = $0 ?? reason } }
}
