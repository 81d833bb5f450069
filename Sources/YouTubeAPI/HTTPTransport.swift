/// Sends one GET request. An answer of any status is a response; only a missing or incomplete one is an error.
///
/// An implementation stops at the request's timeout and at cancellation of the calling task (`TransportError.Kind.cancelled`).
public protocol HTTPTransport: Sendable {
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}
