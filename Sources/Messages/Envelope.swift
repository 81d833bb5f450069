public import FoundationEssentials
import Telemetry

/// Makes outgoing messages of one handled message: CloudEvents in binary mode, the trace, and the headers that came in.
public struct Envelope: Sendable {
  private let origin: String
  /// The headers of every output; the two that differ are last.
  private let common: [MessageHeader]
  private var count = 0

  /// - Parameter generator: draws the span; a new trace begins where none came in.
  public init(answering message: ReceivedMessage, stage: StageName, at time: Date, using generator: inout some RandomNumberGenerator) {
    origin = message.origin
    let incoming = message.headers[HeaderName.traceparent].flatMap(TraceContext.init(traceparent:))
    let trace = incoming?.child(using: &generator) ?? .root(using: &generator)
    var headers = message.headers.filter { !HeaderName.isOwn($0.name) }
    headers.append(MessageHeader("ce_specversion", "1.0"))
    headers.append(MessageHeader("ce_source", "tubeline/\(stage.rawValue)"))
    headers.append(MessageHeader("ce_time", Timestamp.rfc3339(time)))
    headers.append(MessageHeader("content-type", "application/json"))
    headers.append(MessageHeader(HeaderName.traceparent, trace.traceparent))
    common = headers
  }

  /// The next output. Its `ce_id` depends on nothing but the message that is answered and the output's place,
  /// so that a redelivery makes the same id.
  public mutating func seal(_ payload: some Payload) -> OutgoingMessage {
    count += 1
    var headers: [MessageHeader] = []
    headers.reserveCapacity(common.count + 2)
    headers += common
    headers.append(MessageHeader("ce_id", "\(origin)/\(count)"))
    headers.append(MessageHeader("ce_type", "tubeline.\(type(of: payload).kind).v1"))
    return OutgoingMessage(topic: type(of: payload).topic, key: Array(payload.key.utf8), value: payload.bytes, headers: headers)
  }
}
