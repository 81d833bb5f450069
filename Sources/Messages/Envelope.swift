public import FoundationEssentials
import Telemetry

/// Makes outgoing messages of one handled message: CloudEvents in binary mode, the trace, and the headers that came in.
public struct Envelope: Sendable {
  private let stage: StageName
  private let origin: String
  private let inherited: [MessageHeader]
  private let trace: TraceContext
  private let time: String
  private var count = 0

  /// - Parameter generator: draws the span; a new trace begins where none came in.
  public init(answering message: ReceivedMessage, stage: StageName, at time: Date, using generator: inout some RandomNumberGenerator) {
    self.stage = stage
    self.time = Timestamp.rfc3339(time)
    origin = message.origin
    inherited = message.headers.filter { !HeaderName.isOwn($0.name) }
    let incoming = message.headers[HeaderName.traceparent].flatMap(TraceContext.init(traceparent:))
    trace = incoming?.child(using: &generator) ?? .root(using: &generator)
  }

  /// The next output. Its `ce_id` depends on nothing but the message that is answered and the output's place,
  /// so that a redelivery makes the same id.
  public mutating func seal(_ payload: some Payload) -> OutgoingMessage {
    let kind = type(of: payload).kind
    count += 1
    var headers = inherited
    headers.reserveCapacity(inherited.count + 7)
    headers.append(MessageHeader("ce_specversion", "1.0"))
    headers.append(MessageHeader("ce_id", "\(origin)/\(count)"))
    headers.append(MessageHeader("ce_source", "tubeline/\(stage.rawValue)"))
    headers.append(MessageHeader("ce_type", "tubeline.\(kind).v1"))
    headers.append(MessageHeader("ce_time", time))
    headers.append(MessageHeader("content-type", "application/json"))
    headers.append(MessageHeader(HeaderName.traceparent, trace.traceparent))
    return OutgoingMessage(topic: type(of: payload).topic, key: Array(payload.key.utf8), value: payload.bytes, headers: headers)
  }
}
