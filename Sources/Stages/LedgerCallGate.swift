public import Quota
public import YouTubeAPI

/// Lets API calls through as the quota ledger grants them.
public final class LedgerCallGate: CallGate {
  private let gate: QuotaGate
  private let waits = StoppableWaits()
  private let patience: [Bucket: Duration]
  private let admitted: @Sendable (Bucket, Duration) -> Void

  /// - Parameters:
  ///   - patience: how long a call of the bucket waits here at most; without an entry, as long as it takes.
  ///   - admitted: told of every call that may be made, and how long it waited.
  public init(
    _ gate: QuotaGate, patience: [Bucket: Duration] = [:], admitted: @escaping @Sendable (Bucket, Duration) -> Void = { _, _ in }
  ) {
    self.gate = gate
    self.patience = patience
    self.admitted = admitted
  }

  /// Ends every wait at once and admits nothing more: a worker that leaves does not wait for midnight.
  public func stopWaiting() { waits.stop() }

  public func admit(_ method: APIMethod) async throws(CallRefusal) -> CallPermit {
    let began = ContinuousClock.now
    do throws(QuotaRefusal) {
      let grant = try await wait(for: CallCost.of(method.rawValue) ?? CallCost(bucket: .default, units: 1))
      admitted(grant.bucket, ContinuousClock.now - began)
      return CallPermit(method: method, token: grant)
    } catch {
      switch error {
      case .cancelled: throw .cancelled
      case .notBefore(let time): throw .notBefore(time)
      }
    }
  }

  private func wait(for cost: CallCost) async throws(QuotaRefusal) -> Grant {
    let patience = patience[cost.bucket]
    // Nothing is begun once it is stopped: a grant that comes at the same moment would be spent on no call.
    let result = await waits.run { [gate] () async -> Result<Grant, QuotaRefusal> in
      do throws(QuotaRefusal) { return .success(try await gate.admit(cost, within: patience)) } catch { return .failure(error) }
    }
    guard let result else { throw .cancelled }
    return try result.get()
  }

  public func refund(_ permit: CallPermit) async {
    guard let grant = permit.token as? Grant else { return }
    await gate.refund(grant)
  }

  public func exhausted(_ permit: CallPermit) async {
    guard let grant = permit.token as? Grant else { return }
    await gate.exhaust(grant)
  }

  public func answered(_ permit: CallPermit) async {
    guard let grant = permit.token as? Grant else { return }
    await gate.answered(grant)
  }
}
