import Telemetry

/// Several calls that wait at the same time are one operation of the store.
extension QuotaGate {
  private static let largestShare = 16

  /// A unit of a reservation that was made for the whole line; `nil` when the caller has to ask for its own.
  ///
  /// Whatever the store does not grant at once is asked for one by one, so that the last units of a day are used, and the reason of a
  /// denial is told.
  func share(of bucket: Bucket, in line: WaitingLine) async -> Grant? {
    if let spare = spares[bucket]?.popLast() { return spare }
    let wanted = min(line.count, Self.largestShare)
    // With a limit of calls in a minute, or even pacing, the store counts calls one by one.
    guard wanted > 1, policy.requestsPerMinute == nil, policy.pacing == .burst, unreported[bucket] == nil, states[bucket]?.reason == nil
    else { return nil }
    guard case .granted(let whole)? = try? await store.reserve(bucket, cost: wanted, policy: policy) else { return nil }
    granted(whole)
    // As if each had asked for its own; the last one is taken first.
    var units = (0..<wanted).map { whole.part(cost: 1, remaining: whole.remaining + $0) }
    let first = units.popLast()
    spares[bucket, default: []] += units
    return first
  }

  /// Gives units back that nobody stands in line for any more. To be called by each who has left: what stayed here could be spent on another
  /// day, or after the ledger was lost and the operator has said what was spent.
  func returnSpares(of bucket: Bucket, to line: WaitingLine) async {
    let waiting = line.count
    guard let all = spares[bucket], all.count > waiting, let unit = all.first else { return }
    spares[bucket] = Array(all.prefix(waiting))
    let surplus = all.count - waiting
    await refund(unit.part(cost: surplus, remaining: unit.remaining))
  }
}
