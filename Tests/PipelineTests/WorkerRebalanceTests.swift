import FoundationEssentials
import Messages
import Pipeline
import TestSupport
import Testing

@Suite("Worker: partitions come and go", .timeLimit(.minutes(1)))
struct WorkerRebalanceTests {
  private func gated(_ gate: Gate, _ configuration: WorkerConfiguration = WorkerConfiguration(concurrency: 1)) -> WorkerHarness {
    WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        try await gate.passOrCancel()
        return [ScriptedStage.output(message)]
      }, configuration)
  }

  private func released(_ harness: WorkerHarness) async {
    await harness.pass { harness.source.calls.events.contains { if case .released = $0 { true } else { false } } }
  }

  @Test func aRevokedPartitionFinishesWhatRunsAndForgetsWhatHasNotStarted() async {
    let gate = Gate()
    let harness = gated(gate)
    harness.publish("running", "waiting")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.stage.starts.wait(forCount: 1)
      harness.source.revoke(harness.input)
      await harness.log.wait(for: "Partitions revoked")
      #expect(!harness.source.calls.events.contains(.released([harness.input])))
      gate.open()
      await harness.source.calls.wait { $0.contains(.released([harness.input])) }
      #expect(harness.broker.committed(harness.input) == 1)
      #expect(harness.delivery.settles == 1)
      #expect(harness.outputs == ["of running"])
      #expect(harness.stage.starts.events == ["running"])
      #expect(await harness.worker.status.assigned == 0)
    }
  }

  @Test func theMembershipIsKeptAliveWhileTheCommittedOffsetsAreWaitedFor() async {
    let gate = Gate()
    let harness = WorkerHarness()
    harness.source.holdStart(at: gate)
    harness.publish("x")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.log.wait(for: "Partitions assigned")
      let polls = harness.source.polls
      await harness.pass { harness.source.polls >= polls + 5 }
      #expect(harness.stage.starts.count == 0)
      gate.open()
      await harness.stage.starts.wait(forCount: 1)
    }
  }

  @Test func aMembershipThatIsLostMeanwhileIsNotWaitedFor() async {
    let harness = WorkerHarness()
    harness.source.holdStart(at: Gate())
    let failure = await harness.run {
      harness.source.assign(harness.input)
      await harness.log.wait(for: "Partitions assigned")
      harness.source.lose(harness.input)
      await released(harness)
      #expect(await harness.worker.status.assigned == 0)
    }
    #expect(failure == nil)
  }

  @Test func aShutdownDoesNotWaitForCommittedOffsets() async {
    let harness = WorkerHarness()
    harness.source.holdStart(at: Gate())
    let failure = await harness.run {
      harness.source.assign(harness.input)
      await harness.log.wait(for: "Partitions assigned")
    }
    #expect(failure == nil)
    #expect(harness.source.isClosed)
  }

  @Test func aRepetitionOfWhatAnEarlierOwnerHandledIsPassedOver() async {
    var stage = ScriptedStage()
    stage.skipsRepetitions = true
    let harness = WorkerHarness(stage, WorkerConfiguration(lookback: 2))
    let id = [MessageHeader(HeaderName.source, "tubeline/playlists"), MessageHeader(HeaderName.id, "x/page/2")]
    harness.broker.append("original", headers: id, to: .channelRequests)
    harness.broker.commit([], offsets: [harness.input: 1])
    harness.broker.append("repetition", headers: id, to: .channelRequests)
    harness.publish("next")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 3 }
    }
    #expect(harness.stage.starts.events == ["next"])
    #expect(harness.metrics.value("tubeline_messages_consumed_total", "channels") == 2)
  }

  @Test func theGraceOfARevocationIsBounded() async {
    let gate = Gate()
    let harness = gated(gate, WorkerConfiguration(concurrency: 1, revokeGrace: .seconds(3)))
    harness.publish("stuck")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.stage.starts.wait(forCount: 1)
      harness.source.revoke(harness.input)
      await harness.log.wait(for: "Partitions revoked")
      let start = harness.clock.elapsed
      await released(harness)
      let waited = harness.clock.elapsed - start
      #expect(waited >= 3 && waited <= 4.5, "\(waited)")
      await harness.pass { await harness.worker.status.running == 0 }
    }
    #expect(harness.outputs.isEmpty)
    #expect(harness.broker.committed(harness.input) == nil)
  }

  @Test func nothingOfALostPartitionIsDelivered() async {
    let gate = Gate()
    let harness = gated(gate, WorkerConfiguration(concurrency: 4))
    harness.publish("lost")
    harness.publish("kept", to: 1)
    await harness.run {
      harness.source.assign(harness.input, harness.other)
      await harness.stage.starts.wait(forCount: 2)
      harness.source.lose(harness.input)
      await harness.source.calls.wait { $0.contains(.released([harness.input])) }
      gate.open()
      await harness.pass { harness.broker.committed(harness.other) == 1 }
      await harness.pass { await harness.worker.status.running == 0 }
    }
    #expect(harness.outputs == ["of kept"])
    #expect(harness.broker.committed(harness.input) == nil)
  }

  @Test func aPartitionThatCameBackIsHandledAnewAndOldResultsAreDropped() async {
    let first = Gate()
    let log = EventLog<String>()
    let harness = WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        log.append("start")
        // The first handling ignores its cancellation, as a call that cannot be interrupted does.
        if log.count == 1 { await Task { try? await first.pass() }.value }
        return [OutgoingMessage(topic: .channelDetails, key: nil, value: Array("handling \(log.count)".utf8), headers: [])]
      })
    harness.publish("x")
    await harness.run {
      harness.source.assign(harness.input)
      await log.wait(forCount: 1)
      harness.source.lose(harness.input)
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 1 }
      first.open()
      await harness.pass { await harness.worker.status.running == 0 }
      await harness.pass(seconds: 2)
    }
    #expect(harness.outputs == ["handling 2"])
    #expect(harness.delivery.delivered.count == 1)
  }

  @Test func aFinishedBatchWhosePartitionIsLostBeforeItLeavesIsDropped() async {
    let harness = WorkerHarness()
    harness.delivery.hold()
    harness.delivery.failNext(.stale("illegal generation"))
    harness.publish("lost")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.delivery.attempts.wait(forCount: 1)
      harness.source.lose(harness.input)
      await harness.source.calls.wait { $0.contains(.released([harness.input])) }
      harness.delivery.letGo()
      await harness.pass(seconds: 15)
      #expect(await harness.worker.status.held == 0)
    }
    #expect(harness.outputs.isEmpty)
    #expect(harness.delivery.attempts.count == 1)
  }

  @Test func aRevokedPartitionIsKeptUntilTheBatchOnItsWayHasArrived() async {
    let harness = WorkerHarness()
    harness.delivery.hold()
    harness.publish("x")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.delivery.attempts.wait(forCount: 1)
      harness.source.revoke(harness.input)
      await harness.log.wait(for: "Partitions revoked")
      await harness.pass(seconds: 10)
      #expect(!harness.source.calls.events.contains(.released([harness.input])))
      harness.delivery.letGo()
      await harness.source.calls.wait { $0.contains(.released([harness.input])) }
      #expect(harness.broker.committed(harness.input) == 1)
    }
  }

  @Test func aRevokedPartitionIsGivenUpBetweenTwoTriesOfADelivery() async {
    let harness = WorkerHarness()
    harness.delivery.failNext(
      .retriable("1"), .retriable("2"), .retriable("3"), .retriable("4"), .retriable("5"), .retriable("6"), .retriable("7"))
    harness.publish("x")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.delivery.attempts.wait(forCount: 1)
      harness.source.revoke(harness.input)
      await released(harness)
      await harness.pass(seconds: 30)
    }
    #expect(harness.outputs.isEmpty)
    #expect(harness.broker.committed(harness.input) == nil)
  }

  @Test func aDeliveryThatIsTriedAgainWhileOffsetsAreSettledHasNoWorkOfThePartitionsThatLeave() async {
    let harness = WorkerHarness()
    harness.delivery.failNext(.retriable("1"), .retriable("2"), .retriable("3"), .retriable("4"), .retriable("5"))
    harness.delivery.whenSettling {
      harness.clock.advance(by: .seconds(10))
      for _ in 0..<1000 { await Task.yield() }
    }
    harness.publish("x")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.delivery.attempts.wait(forCount: 1)
      harness.source.revoke(harness.input)
      await released(harness)
    }
    #expect(harness.outputs.isEmpty)
    #expect(harness.broker.committed(harness.input) == nil)
  }

  @Test func partitionsThatNeverStartedAreReleasedAtOnce() async {
    let harness = WorkerHarness()
    await harness.run {
      harness.source.assign(harness.input)
      harness.source.revoke(harness.input)
      await harness.source.calls.wait { $0.contains(.released([harness.input])) }
    }
  }
}
