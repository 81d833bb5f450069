/// No complete answer came.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: String, Sendable, CaseIterable {
    case invalidURL, nameResolution, connectionRefused, connectTimedOut, notConnected
    case connectionLost, timedOut, bodyTooLarge, malformedResponse, cancelled, other
  }

  public let kind: Kind
  public let message: String
  /// The request certainly did not reach the API, so it cannot have been counted against the quota.
  public let isCertainlyUnsent: Bool

  public init(_ kind: Kind, _ message: String = "") { self.init(kind, message, isCertainlyUnsent: kind.isBeforeSending) }

  /// A request that was cancelled before anything was done for it.
  public static let cancelledInTime = TransportError(.cancelled, "", isCertainlyUnsent: true)

  private init(_ kind: Kind, _ message: String, isCertainlyUnsent: Bool) {
    self.kind = kind
    self.message = message
    self.isCertainlyUnsent = isCertainlyUnsent
  }

  public var description: String { message.isEmpty ? kind.rawValue : "\(kind.rawValue): \(message)" }
}

extension TransportError.Kind {
  fileprivate var isBeforeSending: Bool {
    switch self {
    case .invalidURL, .nameResolution, .connectionRefused, .connectTimedOut, .notConnected: true
    case .connectionLost, .timedOut, .bodyTooLarge, .malformedResponse, .cancelled, .other: false
    }
  }
}
