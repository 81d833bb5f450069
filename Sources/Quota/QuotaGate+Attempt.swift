import FoundationEssentials
import Telemetry

extension QuotaGate {
  enum Attempt {
    case granted(Grant)
    /// Ask again after this time; `until` is when the ledger will grant, where it is known.
    case pause(Duration, until: (duration: Duration, time: Date)?)
  }

  /// Asks the store once.
  func attempt(_ bucket: Bucket, cost: Int) async -> Attempt {
    do throws(QuotaStoreError) {
      if let day = unreported[bucket] {
        try await store.exhaust(bucket, day: day, policy: policy)
        unreported[bucket] = nil
      }
      let reservation = try await store.reserve(bucket, cost: cost, policy: policy)
      failures[bucket] = 0
      switch reservation {
      case .granted(let grant):
        granted(grant)
        return .granted(grant)
      case .denied(let denial):
        denied(denial)
        return .pause(pause(for: denial.retryAfter), until: (denial.retryAfter, denial.until))
      }
    } catch {
      return .pause(await failed(bucket, error), until: nil)
    }
  }

  func granted(_ grant: Grant) {
    let bucket = grant.bucket
    states[bucket]?.remaining = grant.remaining
    noteDay(grant.day, of: bucket)
    observer(.granted(grant))
    guard let reason = states[bucket]?.reason else { return }
    states[bucket]?.reason = nil
    states[bucket]?.until = nil
    states[bucket]?.message = nil
    observer(.resumed(bucket))
    logger.log(reason.isRoutine ? .debug : .info, "Quota granted again") {
      ["quota.bucket": "\(bucket)", "quota.remaining": .int(grant.remaining)]
    }
  }

  private func noteDay(_ day: QuotaDay, of bucket: Bucket) {
    if states[bucket]?.resetsAt != day.endsAt { states[bucket]?.drift = nil }
    states[bucket]?.resetsAt = day.endsAt
  }

  private func denied(_ denial: Denial) {
    states[denial.bucket]?.remaining = denial.remaining
    noteDay(denial.day, of: denial.bucket)
    let reason = QuotaWaitReason(denial.reason)
    guard begins(reason, in: denial.bucket, until: denial.until, message: nil) else { return }
    logger.log(level(of: reason), "Waiting for quota") {
      [
        "quota.bucket": "\(denial.bucket)", "quota.reason": .string(reason.rawValue),
        "quota.until": .string(Timestamp.rfc3339(denial.until)),
      ]
    }
  }

  private func failed(_ bucket: Bucket, _ error: QuotaStoreError) async -> Duration {
    if error.code == .dataLoss, onDataLoss == .reset {
      logger.warning("Quota ledger lost; counting from what the store holds now", ["error": "\(error)"])
      await store.acceptDataLoss()
      return .zero
    }
    let reason = QuotaWaitReason(error.code)
    if begins(reason, in: bucket, until: nil, message: error.message) {
      logger.log(reason.needsOperator ? .error : .warning, "Waiting for quota") {
        ["quota.bucket": "\(bucket)", "quota.reason": .string(reason.rawValue), "error": .string(error.message)]
      }
    }
    let count = failures[bucket, default: 0]
    failures[bucket] = min(count + 1, 10)
    let longest = reason.needsOperator ? Self.longestPause : .seconds(30)
    let pause = min(.milliseconds(500 << count), longest)
    return pause * (0.5 + 0.5 * random())
  }

  // True when this is a change.
  private func begins(_ reason: QuotaWaitReason, in bucket: Bucket, until: Date?, message: String?) -> Bool {
    let previous = states[bucket]?.reason
    states[bucket]?.reason = reason
    states[bucket]?.until = until
    states[bucket]?.message = message
    guard previous != reason else { return false }
    observer(.waiting(bucket, reason))
    return true
  }

  private func level(of reason: QuotaWaitReason) -> LogLevel {
    reason.isRoutine && !announced.insert(reason).inserted ? .debug : .info
  }

  // Processes that wait for the same moment must not all ask in it; none asks before it, and none sleeps past a look at the store.
  private func pause(for retryAfter: Duration) -> Duration {
    if retryAfter > Self.longestPause { return Self.longestPause * (0.8 + 0.2 * random()) }
    return retryAfter + min(retryAfter / 10, .seconds(2)) * random()
  }
}
