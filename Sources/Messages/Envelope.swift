public import FoundationEssentials
import Telemetry

/// Makes outgoing messages of one handled message: CloudEvents in binary mode, the trace, and the headers that came in.
public struct Envelope: Sendable {
  /// What the ids of all messages of a request have in common.
  private let root: String
  /// The headers of every output; the two that differ are last.
  private let common: [MessageHeader]

  /// - Parameters:
  ///   - place: the handled message's own place (`Payload.place`); `nil` for the request itself.
  ///   - generator: draws the span; a new trace begins where none came in.
  public init(
    answering message: ReceivedMessage, place: String? = nil, stage: StageName, at time: Date,
    using generator: inout some RandomNumberGenerator
  ) {
    root = Self.root(message, place)
    // The span of handling the message, where that is traced; it is a child of the incoming one.
    let parent = TraceContext.current ?? message.trace
    let trace = parent?.child(using: &generator) ?? .root(using: &generator)
    var headers = message.headers.filter { !HeaderName.isOwn($0.name) }
    headers.append(MessageHeader(HeaderName.specVersion, "1.0"))
    headers.append(MessageHeader(HeaderName.source, "\(HeaderName.ownSource)\(stage.rawValue)"))
    headers.append(MessageHeader(HeaderName.time, Timestamp.rfc3339(time)))
    headers.append(MessageHeader("content-type", "application/json"))
    headers.append(MessageHeader(HeaderName.traceparent, trace.traceparent))
    headers.append(MessageHeader(HeaderName.requestedAt, Timestamp.rfc3339(message.requestedAt ?? time)))
    common = headers
  }

  private static func root(_ message: ReceivedMessage, _ place: String?) -> String {
    // A request may come with any id, also with a copied one of ours: what follows from it must not be taken for a repetition.
    guard let place, let id = message.ownID else { return message.origin }
    guard id.hasSuffix("/" + place) else { return id }
    return String(id.dropLast(place.count + 1))
  }

  /// The next output.
  ///
  /// Its `ce_id` is made of the request and the output's place in it. So it is the same after a redelivery, and also when the step that
  /// made it was done twice by two workers: whoever reads both can tell.
  public func seal(_ payload: some Payload, at place: String? = nil) -> OutgoingMessage {
    var headers: [MessageHeader] = []
    headers.reserveCapacity(common.count + 2)
    headers += common
    headers.append(MessageHeader(HeaderName.id, "\(root)/\(place ?? payload.place)"))
    headers.append(MessageHeader(HeaderName.type, "tubeline.\(type(of: payload).kind).v1"))
    return OutgoingMessage(topic: type(of: payload).topic, key: Array(payload.key.utf8), value: payload.bytes, headers: headers)
  }
}
