/// A store could not answer: then nothing may be spent.
public struct QuotaStoreError: Error, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    /// No answer, or a temporary one: ask again.
    case unreachable
    /// The store refuses for a reason that an operator must mend: password, permission, wrong kind of data.
    case refused
    /// Something else than a watermark is under this list's key. Other lists are not concerned.
    case foreignValue
    /// What this process has seen in the ledger is gone.
    case dataLoss
    /// The host's clock is far behind a time that the ledger has seen.
    case clockBehind
    /// The address of the store, or an argument, is unusable.
    case invalid
    case closed
  }

  public let code: Code
  public let message: String
  public let underlying: (any Error)?
  /// The store took all the time it may: to ask again at once would take as much.
  public let isTimeout: Bool

  public init(_ code: Code, _ message: String, underlying: (any Error)? = nil, isTimeout: Bool = false) {
    self.code = code
    self.message = message
    self.underlying = underlying
    self.isTimeout = isTimeout
  }

  public var isRetriable: Bool { code == .unreachable }
  public var description: String { message }
}
