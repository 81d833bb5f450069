import JSON

/// What a message that cannot be read as a request still tells of what was meant.
public struct UnusableRequest: Sendable, Equatable {
  /// `nil` unless it could be a request's id.
  public let requestID: String?
  /// The text of the first member that names what is wanted.
  public let reference: String?

  public init(_ value: [UInt8]?) {
    let json = value.flatMap { try? JSONDocument.parse(RequestBody.withoutMark($0)) }?.root
    requestID = json?["requestId"]?.string.flatMap { RequestIDText.isUsable($0) ? $0 : nil }
    reference = (ChannelRequest.Target.forms.map(\.name) + ["query"]).lazy.compactMap { json?[$0]?.string }.first { !$0.isEmpty }
  }
}
