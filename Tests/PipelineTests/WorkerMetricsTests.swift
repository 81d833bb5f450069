import FoundationEssentials
import Messages
import Pipeline
import Telemetry
import TestSupport
import Testing

@Suite("Worker metrics", .timeLimit(.minutes(1)))
struct WorkerMetricsTests {
  private func gauge(_ harness: WorkerHarness, _ name: String) async -> Double? {
    await harness.worker.updateGauges()
    return harness.metrics.value("tubeline_\(name)", "channels")
  }

  @Test func gaugesTellTheMomentInWhichTheyAreAskedFor() async {
    let gate = Gate()
    let harness = WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        try await gate.passOrCancel()
        return [ScriptedStage.output(message)]
      }, WorkerConfiguration(concurrency: 2))
    harness.publish("a", "b", "c")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.stage.starts.wait(forCount: 2)
      #expect(await gauge(harness, "messages_in_flight") == 2)
      #expect(await gauge(harness, "messages_held") == 3)
      #expect(await gauge(harness, "partitions_assigned") == 1)
      #expect(await gauge(harness, "stage_stopped") == 0)
      gate.open()
      await harness.pass { harness.broker.committed(harness.input) == 3 }
      #expect(await gauge(harness, "messages_in_flight") == 0)
      #expect(await gauge(harness, "messages_held") == 0)
    }
  }

  // A step of the worker costs nothing for gauges that nobody reads.
  @Test func withoutAScrapeNoGaugeIsSet() async {
    let harness = WorkerHarness()
    harness.publish("a")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 1 }
      #expect(harness.metrics.value("tubeline_partitions_assigned", "channels") == nil)
      #expect(harness.metrics.value("tubeline_messages_consumed_total", "channels") == 1)
    }
  }

  @Test func agesCountFromTheMessageAndFromItsRequest() async {
    let harness = WorkerHarness()
    harness.broker.append(
      "a",
      headers: [
        MessageHeader(HeaderName.source, "tubeline/channels"), MessageHeader(HeaderName.requestedAt, Timestamp.rfc3339(harness.now - 100)),
      ], to: .channelRequests)
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 1 }
    }
    let text = harness.metrics.exposition()
    #expect(text.contains("tubeline_request_age_seconds_bucket{stage=\"channels\",le=\"60\"} 0\n"), "\(text)")
    #expect(text.contains("tubeline_request_age_seconds_bucket{stage=\"channels\",le=\"300\"} 1\n"), "\(text)")
    #expect(harness.metrics.value("tubeline_last_delivery_timestamp_seconds", "channels") ?? 0 >= WorkerHarness.base.timeIntervalSince1970)
  }
}
