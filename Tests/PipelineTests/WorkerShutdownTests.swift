import FoundationEssentials
import Messages
import Pipeline
import TestSupport
import Testing

@Suite("Worker: shutdown", .timeLimit(.minutes(1)))
struct WorkerShutdownTests {
  private func gated(_ gate: Gate, grace: Duration) -> WorkerHarness {
    WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        try await gate.passOrCancel()
        return [ScriptedStage.output(message)]
      }, WorkerConfiguration(concurrency: 1, shutdownGrace: grace))
  }

  @Test func runningWorkIsFinishedWithinTheGraceAndNothingNewBegins() async {
    let gate = Gate()
    let harness = gated(gate, grace: .seconds(25))
    harness.publish("running", "waiting")
    let error = await harness.run {
      harness.source.assign(harness.input)
      await harness.stage.starts.wait(forCount: 1)
      await harness.worker.shutDown()
      #expect(await harness.worker.status.isShuttingDown)
      await harness.pass(seconds: 10)
      #expect(!harness.hasEnded)
      gate.open()
      await harness.log.wait(for: "Stopped")
    }
    #expect(error == nil)
    #expect(harness.outputs == ["of running"])
    #expect(harness.broker.committed(harness.input) == 1)
    #expect(harness.stage.starts.events == ["running"])
    #expect(harness.delivery.settles == 1)
    #expect(harness.delivery.isClosed)
    #expect(harness.source.calls.events.last == .closed)
  }

  @Test func workBeyondTheGraceIsCut() async {
    let gate = Gate()
    let harness = gated(gate, grace: .seconds(25))
    harness.publish("stuck")
    let error = await harness.run {
      harness.source.assign(harness.input)
      await harness.stage.starts.wait(forCount: 1)
      await harness.worker.shutDown()
    }
    #expect(error == nil)
    #expect(harness.clock.elapsed >= 25 && harness.clock.elapsed <= 27, "\(harness.clock.elapsed)")
    #expect(harness.outputs.isEmpty)
    #expect(harness.broker.committed(harness.input) == nil)
  }

  @Test func anIdleWorkerEndsAtOnce() async {
    let harness = WorkerHarness()
    let error = await harness.run {
      await harness.pass { harness.source.polls > 0 }
      await harness.worker.shutDown()
      await harness.log.wait(for: "Stopped")
    }
    #expect(error == nil)
    #expect(harness.clock.elapsed < 1)
  }

  @Test func aBrokerThatIsDownDoesNotHoldTheEndUpAndNothingIsSkipped() async {
    let harness = WorkerHarness(ScriptedStage(), WorkerConfiguration(window: 4, shutdownGrace: .seconds(5)))
    for _ in 0..<20 { harness.delivery.failNext(.retriable("down")) }
    for number in 0..<20 { harness.publish("\(number)") }
    await harness.run {
      harness.source.assign(harness.input)
      await harness.delivery.attempts.wait(forCount: 1)
      await harness.worker.shutDown()
    }
    #expect(harness.clock.elapsed <= 8, "\(harness.clock.elapsed)")
    #expect(harness.broker.committed(harness.input) == nil)
  }

  @Test func nothingIsCommittedBehindABatchThatWasGivenUp() async {
    let harness = WorkerHarness(ScriptedStage(), WorkerConfiguration(window: 200, shutdownGrace: .seconds(1)))
    for number in 0..<150 { harness.publish("\(number)") }
    harness.delivery.failNext(.retriable("1"), .retriable("2"), .retriable("3"), .retriable("4"))
    await harness.run {
      harness.source.assign(harness.input)
      await harness.delivery.attempts.wait(forCount: 1)
      await harness.pass { await harness.worker.status.running == 0 }
      await harness.worker.shutDown()
      // The first batch is given up at the end of the grace; the broker is there again for the ones behind it.
    }
    #expect(harness.broker.committed(harness.input) == nil)
    #expect(harness.outputs.isEmpty)
  }

  @Test func aHungDeliveryIsCutAtTheEndOfTheGrace() async {
    let harness = WorkerHarness(ScriptedStage(), WorkerConfiguration(shutdownGrace: .seconds(5)))
    harness.delivery.hold()
    harness.publish("x")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.delivery.attempts.wait(forCount: 1)
    }
    #expect(harness.clock.elapsed >= 5 && harness.clock.elapsed <= 8)
  }

  @Test func cancellingRunEndsItAtOnceAndClosesEverything() async {
    let gate = Gate()
    let harness = gated(gate, grace: .seconds(25))
    harness.publish("running")
    let task = harness.start()
    harness.source.assign(harness.input)
    await harness.stage.starts.wait(forCount: 1)
    task.cancel()
    await harness.log.wait(for: "Stopped")
    #expect(harness.delivery.isClosed)
    #expect(harness.clock.elapsed == 0)
  }

  @Test func cancellingRunEndsADeliveryThatIsBeingRepeated() async {
    let harness = WorkerHarness()
    for _ in 0..<1000 { harness.delivery.failNext(.retriable("down")) }
    harness.publish("x")
    let task = harness.start()
    harness.source.assign(harness.input)
    await harness.delivery.attempts.wait(forCount: 1)
    task.cancel()
    await harness.log.wait(for: "Stopped")
    #expect(harness.outputs.isEmpty)
  }

  @Test func partitionsThatComeDuringAShutdownAreNotRead() async {
    let gate = Gate()
    let harness = gated(gate, grace: .seconds(25))
    harness.publish("running")
    harness.publish("late", to: 1)
    await harness.run {
      harness.source.assign(harness.input)
      await harness.stage.starts.wait(forCount: 1)
      await harness.worker.shutDown()
      harness.source.assign(harness.other)
      await harness.source.calls.wait { $0.contains(.started([harness.other])) }
      await harness.pass(seconds: 2)
      gate.open()
    }
    #expect(harness.stage.starts.events == ["running"])
  }
}
