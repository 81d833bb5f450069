import FoundationEssentials
import Messages
import Synchronization
import Telemetry
import TestSupport
import Testing

@testable import Pipeline

@Suite("Worker tracing", .timeLimit(.minutes(1)))
struct WorkerTracingTests {
  final class Sink: SpanSink {
    private let state = Mutex<[Span]>([])
    var spans: [Span] { state.withLock { $0 } }
    func record(_ span: Span) { state.withLock { $0.append(span) } }
  }

  static let traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  private func scene(_ sink: Sink, _ stage: ScriptedStage) -> WorkerHarness {
    WorkerHarness(stage, tracing: WorkerTracing(tracer: Tracer(sink: sink), group: "g", clientID: "c", prefix: "p-"))
  }

  private static let sealing = ScriptedStage { message throws(StageFailure) in
    var random = RandomSource()
    let envelope = Envelope(answering: message, stage: .channels, at: Date(timeIntervalSince1970: 0), using: &random)
    return [envelope.seal(ChannelDetails(requestID: "r", reference: "x", resolvedBy: .id, channelID: "UC", fetchedAt: "t"))]
  }

  @Test func handlingAndSendingAreSpansBetweenTheMessageAndWhatFollows() async throws {
    let sink = Sink()
    let harness = scene(sink, Self.sealing)
    harness.broker.append("a", headers: [MessageHeader(HeaderName.traceparent, Self.traceparent)], to: .channelRequests)
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 1 }
    }
    let process = try #require(sink.spans.first { $0.kind == .consumer })
    let send = try #require(sink.spans.first { $0.kind == .producer })
    #expect(process.name == "process channel-requests" && send.name == "send p-channel-details")
    #expect(process.parent?.traceparent == Self.traceparent)
    #expect(send.parent == process.context)
    let output = try #require(harness.broker.messages(.channelDetails).first)
    #expect(output.headers[HeaderName.traceparent] == send.context.traceparent)
    #expect(process.attributes.contains(Span.Attribute("messaging.consumer.group.name", "g")))
    #expect(process.attributes.contains(Span.Attribute("messaging.kafka.offset", 0)))
    #expect(send.attributes.contains(Span.Attribute("messaging.batch.message_count", 1)))
  }

  @Test func anAttemptAfterAFailureBelongsToTheSameTrace() async throws {
    let sink = Sink()
    let harness = scene(
      sink,
      ScriptedStage { message throws(StageFailure) in throw .reject(Rejection(.unknownReference, "There is no such thing.")) })
    harness.publish("a")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 1 }
    }
    let span = try #require(sink.spans.first)
    #expect(span.error == Span.Failure(type: "unknownReference", message: "There is no such thing."))
    // The text came without a trace; its dead letter tells in which one it was handled.
    let letter = try #require(harness.broker.messages(.dead(.channels)).first)
    #expect(letter.headers[HeaderName.traceparent] == span.context.traceparent)
    #expect(sink.spans.count == 1)
  }

  @Test func withoutTracingNothingIsDifferent() async throws {
    let harness = WorkerHarness(Self.sealing)
    harness.broker.append("a", headers: [MessageHeader(HeaderName.traceparent, Self.traceparent)], to: .channelRequests)
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 1 }
    }
    let output = try #require(harness.broker.messages(.channelDetails).first)
    #expect(output.trace?.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
    #expect(output.headers[HeaderName.traceparent] != Self.traceparent)
  }
}
