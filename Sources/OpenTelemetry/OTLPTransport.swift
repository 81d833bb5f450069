/// Posts one export to the collector.
public protocol OTLPTransport: Sendable {
  func post(_ body: [UInt8]) async -> OTLPAnswer
}

/// What became of an export.
public enum OTLPAnswer: Sendable, Equatable {
  /// The collector's status, its wish for the next try, and its body.
  case status(Int, retryAfter: Duration?, body: [UInt8])
  /// No answer came; the reason is for the log.
  case none(String)
}
