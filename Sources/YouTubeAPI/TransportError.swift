/// No complete answer came.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: String, Sendable, CaseIterable {
    case invalidURL, nameResolution, connectionRefused, connectTimedOut, notConnected
    case connectionLost, timedOut, bodyTooLarge, malformedResponse, cancelled, other
  }

  public let kind: Kind
  public let message: String

  public init(_ kind: Kind, _ message: String = "") {
    self.kind = kind
    self.message = message
  }

  /// The request certainly did not reach the API, so it cannot have been counted against the quota.
  public var isCertainlyUnsent: Bool {
    switch kind {
    case .invalidURL, .nameResolution, .connectionRefused, .connectTimedOut, .notConnected: true
    case .connectionLost, .timedOut, .bodyTooLarge, .malformedResponse, .cancelled, .other: false
    }
  }

  public var description: String { message.isEmpty ? kind.rawValue : "\(kind.rawValue): \(message)" }
}
