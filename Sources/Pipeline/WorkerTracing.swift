import FoundationEssentials
import Messages
public import Telemetry

/// The spans of a worker, by OpenTelemetry's conventions for messaging: one for handling a message (`process`), one for publishing what
/// follows from it (`send`), which is the parent of those that handle it next.
public struct WorkerTracing: Sendable {
  private let tracer: Tracer
  private let group: String?
  private let clientID: String?
  private let prefix: String

  public static let off = WorkerTracing(tracer: .off)

  /// - Parameters:
  ///   - group: the consumer group's full name.
  ///   - clientID: as Kafka knows this client.
  ///   - prefix: of every topic's full name.
  public init(tracer: Tracer, group: String? = nil, clientID: String? = nil, prefix: String = "") {
    self.prefix = prefix
    self.tracer = tracer
    self.group = group
    self.clientID = clientID
  }

  func begin(_ item: WorkItem, of stage: any Stage) -> Span? {
    let message = item.message
    guard var span = tracer.begin("process \(message.source.topic)", .consumer, parent: message.trace) else { return nil }
    span.attributes = common("process", topic: message.source.topic)
    span.attributes += [
      Span.Attribute("messaging.destination.partition.id", .string(String(message.source.partition))),
      Span.Attribute("messaging.kafka.offset", .int(Int(message.offset))),
      Span.Attribute("messaging.message.body.size", .int(message.value?.count ?? 0)),
      Span.Attribute("tubeline.stage", .string(stage.name.rawValue)),
    ]
    if let group { span.attributes.append(Span.Attribute("messaging.consumer.group.name", .string(group))) }
    if let id = message.headers[HeaderName.id] { span.attributes.append(Span.Attribute("messaging.message.id", .string(Self.short(id)))) }
    if message.value == nil { span.attributes.append(Span.Attribute("messaging.kafka.message.tombstone", true)) }
    if let key = message.key.flatMap({ String(validating: $0, as: UTF8.self) }) {
      span.attributes.append(Span.Attribute("messaging.kafka.message.key", .string(Self.short(key))))
    }
    if item.failures > 0 { span.attributes.append(Span.Attribute("tubeline.attempt", .int(item.failures + 1))) }
    return span
  }

  func end(_ span: Span?, _ result: Result<[OutgoingMessage], StageFailure>) {
    switch result {
    case .success(let outputs): tracer.end(span, [Span.Attribute("tubeline.outputs", .int(outputs.count))])
    case .failure(let failure): tracer.end(span, error: Self.failure(failure))
    }
  }

  /// The outputs of one message are published: the span that their headers name.
  func delivered(_ handled: Handled, from start: Date, to end: Date) {
    guard tracer.isOn, let parent = handled.trace, parent.isSampled else { return }
    let sent = Dictionary(grouping: handled.outputs) { $0.headers[HeaderName.traceparent] }
    for (traceparent, outputs) in sent {
      // What is tried again, or given up, keeps the trace it came with.
      guard let context = traceparent.flatMap(TraceContext.init(traceparent:)), context.traceID == parent.traceID,
        context != parent, context != handled.message.trace
      else { continue }
      let topics = Set(outputs.map(\.topic.name))
      let topic = topics.count == 1 ? topics.first.map { prefix + $0 } : nil
      var attributes = common("send", topic: topic)
      attributes.append(Span.Attribute("messaging.batch.message_count", .int(outputs.count)))
      tracer.record(
        Span(
          topic.map { "send \($0)" } ?? "send", .producer, context: context, parent: parent, start: start, end: end, attributes: attributes),
        in: context)
    }
  }

  private func common(_ operation: String, topic: String?) -> [Span.Attribute] {
    var attributes = [
      Span.Attribute("messaging.system", "kafka"), Span.Attribute("messaging.operation.name", .string(operation)),
      Span.Attribute("messaging.operation.type", .string(operation)),
    ]
    if let topic { attributes.append(Span.Attribute("messaging.destination.name", .string(topic))) }
    if let clientID { attributes.append(Span.Attribute("messaging.client.id", .string(clientID))) }
    return attributes
  }

  private static func failure(_ failure: StageFailure) -> Span.Failure {
    switch failure {
    case .retry(_, let rejection): Span.Failure(type: "retry", message: rejection.message)
    case .postpone(_, let rejection): Span.Failure(type: "postponed", message: rejection.message)
    case .reject(let rejection): Span.Failure(type: rejection.code.rawValue, message: rejection.message)
    case .stop(let fix): Span.Failure(type: "stopped", message: fix)
    case .cancelled: Span.Failure(type: "cancelled")
    }
  }

  // Both come from outside, and may be a megabyte.
  private static func short(_ text: String) -> String { String(text.unicodeScalars.prefix(200)) }
}
