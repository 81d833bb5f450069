import Synchronization

/// Which quota buckets have answered in this process.
///
/// The API reports the limit 0 both for projects that were never given quota and, as recorded, for a bucket that is used up today. A bucket
/// that has worked before is used up; one that never has is a matter for the operator, and is retried slowly, so both end well.
final class BucketHistory: Sendable {
  private let search = Atomic(false)
  private let common = Atomic(false)

  func worked(_ method: APIMethod) {
    if method == .searchList {
      if !search.load(ordering: .relaxed) { search.store(true, ordering: .relaxed) }
    } else if !common.load(ordering: .relaxed) {
      common.store(true, ordering: .relaxed)
    }
  }

  func hasWorked(_ method: APIMethod) -> Bool {
    method == .searchList ? search.load(ordering: .relaxed) : common.load(ordering: .relaxed)
  }
}
