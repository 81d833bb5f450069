import FoundationEssentials
import Messages
import Pipeline
import TestSupport
import Testing

@Suite("Worker: flow", .timeLimit(.minutes(1)))
struct WorkerFlowTests {
  @Test func outputsLeaveInOffsetOrderWhateverFinishesFirst() async {
    let gates = Dictionary(uniqueKeysWithValues: ["a", "b", "c", "d"].map { ($0, Gate()) })
    let harness = WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        try await gates[message.text]?.passOrCancel()
        return [ScriptedStage.output(message)]
      })
    harness.publish("a", "b", "c", "d")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.stage.starts.wait(forCount: 4)
      for text in ["d", "c", "b"] { gates[text]?.open() }
      await harness.pass { await harness.worker.status.running == 1 }
      #expect(harness.outputs.isEmpty)
      #expect(harness.broker.committed(harness.input) == nil)
      gates["a"]?.open()
      await harness.delivery.delivered.wait { $0.reduce(0) { $0 + $1.outputs.count } == 4 }
      #expect(harness.outputs == ["of a", "of b", "of c", "of d"])
      #expect(harness.broker.committed(harness.input) == 4)
    }
  }

  @Test func onlyTheFinishedPrefixIsCommitted() async {
    let slow = Gate()
    let harness = WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        if message.text == "slow" { try await slow.passOrCancel() }
        return [ScriptedStage.output(message)]
      })
    harness.publish("1", "2", "slow", "4")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.stage.starts.wait(forCount: 4)
      await harness.pass { harness.broker.committed(harness.input) == 2 }
      await harness.pass { await harness.worker.status.running == 1 }
      await harness.pass(seconds: 5)
      #expect(harness.outputs == ["of 1", "of 2"])
      #expect(harness.broker.committed(harness.input) == 2)
      #expect(await harness.worker.status.held == 2)
      slow.open()
      await harness.pass { harness.broker.committed(harness.input) == 4 }
    }
  }

  @Test func aMessageWithoutOutputsIsCommittedToo() async {
    let harness = WorkerHarness(ScriptedStage { _ in [] })
    harness.publish("1", "2")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 2 }
    }
    #expect(harness.outputs.isEmpty)
  }

  @Test func aFullWindowTakesNothingMoreWhilePollingGoesOn() async {
    let gate = Gate()
    let harness = WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        try await gate.passOrCancel()
        return [ScriptedStage.output(message)]
      }, WorkerConfiguration(concurrency: 2, window: 6))
    for number in 0..<1000 { harness.publish("\(number)") }
    await harness.run {
      harness.source.assign(harness.input)
      await harness.stage.starts.wait(forCount: 2)
      await harness.pass { await harness.worker.status.held >= 4 }
      await harness.pass(seconds: 3)
      let before = (polls: harness.source.polls, taken: harness.source.taken, at: harness.clock.elapsed)
      #expect(before.taken <= 6)
      await harness.pass(seconds: 60)
      #expect(harness.source.taken == before.taken)
      #expect(Double(harness.source.polls - before.polls) >= harness.clock.elapsed - before.at)
      let status = await harness.worker.status
      #expect(status.held <= 6)
      #expect(status.running == 2)
      gate.open()
      await harness.pass { harness.broker.committed(harness.input) == 1000 }
      #expect(harness.outputs == (0..<1000).map { "of \($0)" })
    }
  }

  @Test func concurrencyIsNeverExceeded() async {
    let running = EventLog<Int>()
    let gate = Gate()
    let harness = WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        running.append(1)
        try await gate.passOrCancel()
        return []
      }, WorkerConfiguration(concurrency: 3))
    for number in 0..<20 { harness.publish("\(number)") }
    await harness.run {
      harness.source.assign(harness.input)
      await running.wait(forCount: 3)
      await harness.pass(seconds: 3)
      #expect(running.count == 3)
      gate.open()
      await harness.pass { harness.broker.committed(harness.input) == 20 }
    }
  }

  @Test func aSlowPartitionDoesNotHoldUpTheOthers() async {
    let gate = Gate()
    let harness = WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        if message.text == "slow" { try await gate.passOrCancel() }
        return [ScriptedStage.output(message)]
      }, WorkerConfiguration(concurrency: 4, window: 8))
    harness.publish("slow")
    for number in 0..<100 { harness.publish("x\(number)", to: 0) }
    for number in 0..<100 { harness.publish("\(number)", to: 1) }
    await harness.run {
      harness.source.assign(harness.input, harness.other)
      await harness.pass { harness.broker.committed(harness.other) == 100 }
      #expect(harness.broker.committed(harness.input) == nil)
      gate.open()
      await harness.pass { harness.broker.committed(harness.input) == 101 }
    }
  }

  @Test func deliveriesAreOneAtATimeAndKeepTheirInterval() async {
    let harness = WorkerHarness(ScriptedStage(), WorkerConfiguration(deliveryInterval: .seconds(2)))
    let times = EventLog<Double>()
    harness.publish("first")
    await harness.run {
      harness.source.assign(harness.input)
      for count in 1...4 {
        await harness.pass { harness.delivery.delivered.count >= count }
        times.append(harness.clock.elapsed)
        harness.publish("next")
      }
    }
    let gaps = zip(times.events, times.events.dropFirst()).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 >= 1.8 }, "\(gaps)")
    #expect(harness.delivery.mostConcurrent == 1)
  }

  @Test func readingGoesOnWhereTheGroupHadCommitted() async {
    let harness = WorkerHarness()
    harness.publish("a", "b", "c")
    harness.broker.commit([], offsets: [harness.input: 2])
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 3 }
    }
    #expect(harness.outputs == ["of c"])
  }

  @Test func aGapIsCountedAndReadingGoesOnAtTheOldest() async {
    let harness = gapped()
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 10 }
    }
    #expect(harness.outputs == ["of 7", "of 8", "of 9"])
    #expect(harness.metrics.value("tubeline_log_gaps_total", "channels") == 1)
    #expect(harness.log.entries.events.contains { $0.level == .error && $0.message.contains("deleted") })
  }

  @Test func aGapThatCannotBeLeftAtOnceIsTriedAgain() async {
    let harness = gapped()
    harness.source.failStartAtOldest(times: 3)
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 10 }
    }
    #expect(harness.outputs == ["of 7", "of 8", "of 9"])
    #expect(harness.source.calls.events.count { $0 == .startedAtOldest(harness.input) } == 4)
  }

  @Test func aGapThatCanNeverBeLeftEndsTheWorker() async {
    let harness = gapped()
    harness.source.failStartAtOldest(times: .max)
    let task = harness.start()
    harness.source.assign(harness.input)
    let error = await harness.end()
    await task.value
    #expect(error == .fatal("\(harness.input) cannot be read from its beginning: no leader"))
    #expect(harness.clock.elapsed >= 9)
  }

  private func gapped() -> WorkerHarness {
    let harness = WorkerHarness()
    for number in 0..<10 { harness.publish("\(number)") }
    harness.broker.commit([], offsets: [harness.input: 2])
    harness.broker.delete(from: harness.input, below: 7)
    return harness
  }

  @Test func aLogThatBeganAnewIsReadFromItsBeginning() async {
    let harness = WorkerHarness()
    for number in 0..<10 { harness.publish("old \(number)") }
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 10 }
      harness.broker.empty(harness.input)
      harness.publish("new 0", "new 1")
      await harness.pass { harness.outputs.count == 12 }
      #expect(Array(harness.outputs.suffix(2)) == ["of new 0", "of new 1"])
      #expect(harness.broker.committed(harness.input) == 2)
    }
  }
}
