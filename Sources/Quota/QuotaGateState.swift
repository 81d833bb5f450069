public import FoundationEssentials

/// Why a bucket's line stands still.
public enum QuotaWaitReason: String, Sendable, CaseIterable {
  case usedUp, exhaustedByAPI, reserve, pacing, requestsPerMinute
  case storeUnreachable, storeRefused, clockBehind, dataLoss

  init(_ reason: Denial.Reason) {
    switch reason {
    case .usedUp: self = .usedUp
    case .exhaustedByAPI: self = .exhaustedByAPI
    case .reserve: self = .reserve
    case .pacing: self = .pacing
    case .requestsPerMinute: self = .requestsPerMinute
    }
  }

  init(_ code: QuotaStoreError.Code) {
    switch code {
    case .unreachable, .closed: self = .storeUnreachable
    case .refused, .foreignValue, .invalid: self = .storeRefused
    case .clockBehind: self = .clockBehind
    case .dataLoss: self = .dataLoss
    }
  }

  /// Waits that come and go with every call: told once, then only at debug level.
  var isRoutine: Bool { self == .pacing || self == .requestsPerMinute }

  /// An operator must act; time alone does not help.
  public var needsOperator: Bool { self == .storeRefused || self == .clockBehind || self == .dataLoss }
}

/// What a process knows of one bucket without asking the store.
public struct QuotaGateState: Sendable, Equatable {
  /// Calls that wait for units now.
  public internal(set) var waiting = 0
  public internal(set) var reason: QuotaWaitReason?
  /// The whole sentence, for errors of the store.
  public internal(set) var message: String?
  /// When the wait ends, by the store's clock; `nil` when nobody knows.
  public internal(set) var until: Date?
  /// By the store's last answer; `nil` before the first.
  public internal(set) var remaining: Int?
  public internal(set) var resetsAt: Date?
  /// Units that were left by the ledger when the API said that there were none; `nil` when both agree.
  public internal(set) var drift: Int?
  public let limit: Int

  init(limit: Int) { self.limit = limit }
}

/// What a gate tells its observer, for metrics.
public enum QuotaGateEvent: Sendable {
  case granted(Grant)
  case waiting(Bucket, QuotaWaitReason)
  case resumed(Bucket)
  case refunded(Grant)
  case exhausted(Bucket)
  /// A call was answered after that.
  case contradicted(Bucket)
}
