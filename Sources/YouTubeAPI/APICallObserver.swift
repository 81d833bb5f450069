/// One HTTP request that was made, or tried.
public struct APICall: Sendable {
  public enum Outcome: String, Sendable, CaseIterable {
    case succeeded, notFound, dailyQuota, transient, configuration, rejected, unsent, cancelled
  }

  public let method: APIMethod
  public let outcome: Outcome
  /// The HTTP status, if an answer came.
  public let status: Int?
  /// From sending to the last byte, without waiting for quota.
  public let duration: Duration
  /// Size of the decompressed body.
  public let bytes: Int
  /// Items of the answer that could not be read and were left out.
  public let skipped: Int

  public init(method: APIMethod, outcome: Outcome, status: Int?, duration: Duration, bytes: Int, skipped: Int = 0) {
    self.method = method
    self.outcome = outcome
    self.status = status
    self.duration = duration
    self.bytes = bytes
    self.skipped = skipped
  }
}

/// Is told of every HTTP request; it must return quickly.
public protocol APICallObserver: Sendable {
  func observe(_ call: APICall)
}
