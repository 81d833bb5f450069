import FoundationEssentials
import Messages
import Pipeline
import TestSupport
import Testing

@Suite("Worker: delivery", .timeLimit(.minutes(1)))
struct WorkerDeliveryTests {
  @Test func afterARetriableFailureTheSameBatchIsDeliveredAgainInOrder() async {
    let harness = WorkerHarness(ScriptedStage(), WorkerConfiguration(window: 8))
    harness.delivery.failNext(.retriable("1"), .retriable("2"), .retriable("3"))
    for number in 0..<40 { harness.publish("\(number)") }
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.delivery.attempts.count >= 2 }
      #expect(await harness.worker.status.held <= 8)
      await harness.pass { harness.broker.committed(harness.input) == 40 }
    }
    let attempts = harness.delivery.attempts.events
    #expect(attempts[0].outputs.map(\.text) == attempts[3].outputs.map(\.text))
    #expect(attempts[0].offsets == attempts[3].offsets)
    #expect(harness.outputs == (0..<40).map { "of \($0)" })
  }

  @Test func theStageIsToldOfEachMessageInOrderOnceItIsDelivered() async {
    let stage = ScriptedStage { message throws(StageFailure) in
      if message.text == "b" { throw .reject(Rejection(.invalidJSON, "no JSON")) }
      return [ScriptedStage.output(message)]
    }
    let harness = WorkerHarness(stage)
    harness.delivery.failNext(.retriable("1"), .retriable("2"))
    harness.publish("a", "b", "c")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.delivery.attempts.count == 2 }
      #expect(stage.deliveries.count == 0)
      await harness.pass { stage.deliveries.count == 3 }
    }
    #expect(stage.deliveries.events == ["a: channel-details", "b: request-events,channels-dead", "c: channel-details"])
  }

  /// What was handled first is concluded when everything before it has been handled, and once, however often it is delivered.
  @Test func outputsAreConcludedInTheirTurn() async {
    let (gate, log) = (Gate(), EventLog<String>())
    var stage = ScriptedStage { message throws(StageFailure) in
      if message.text == "a" { try await gate.passOrCancel() }
      log.append("handled \(message.text)")
      return [ScriptedStage.output(message)]
    }
    stage.concluding = { outputs, message in
      log.append("concluded \(message.text)")
      return message.text == "b" ? outputs + outputs : outputs
    }
    let harness = WorkerHarness(stage)
    harness.delivery.failNext(.retriable("1"), .retriable("2"))
    harness.publish("a", "b")
    await harness.run {
      harness.source.assign(harness.input)
      await log.wait(forCount: 1)
      gate.open()
      await harness.pass { harness.broker.committed(harness.input) == 2 }
    }
    #expect(log.events == ["handled b", "handled a", "concluded a", "concluded b"])
    #expect(harness.outputs == ["of a", "of b", "of b"])
  }

  @Test func whatWasNotDeliveredIsNotToldToTheStage() async {
    let stage = ScriptedStage()
    let harness = WorkerHarness(stage, WorkerConfiguration(deliveryInterval: .seconds(1)))
    harness.delivery.hold()
    harness.delivery.failNext(.stale("illegal generation"))
    harness.publish("lost")
    harness.publish("kept", to: 1)
    await harness.run {
      harness.source.assign(harness.input, harness.other)
      await harness.delivery.attempts.wait(forCount: 1)
      harness.source.lose(harness.input)
      await harness.source.calls.wait { $0.contains(.released([harness.input])) }
      harness.delivery.letGo()
      await harness.pass { stage.deliveries.count > 0 }
    }
    #expect(stage.deliveries.events == ["kept: channel-details"])
  }

  @Test func theEndWaitsForWhatTheStageDoesAfterADelivery() async {
    let gate = Gate()
    var stage = ScriptedStage()
    stage.whenDelivered = { try? await gate.pass() }
    let harness = WorkerHarness(stage)
    harness.publish("a", "b")
    harness.publish("c", to: 1)
    for text in ["d", "e"] { harness.broker.append(Array(text.utf8), key: Array("key".utf8), to: .channelRequests) }
    await harness.run {
      harness.source.assign(harness.input, harness.other)
      // What has one key is told in its order, and beside it other keys and partitions.
      await harness.pass { stage.deliveries.count == 3 }
      #expect(Set(stage.deliveries.events.map { $0.prefix(1) }) == ["a", "c", "d"])
      await harness.worker.shutDown()
      await harness.pass(seconds: 3)
      #expect(!harness.hasEnded)
      gate.open()
    }
    #expect(stage.deliveries.count == 5)
  }

  @Test func aBrokerThatIsDownHoldsABoundedNumberOfMessages() async {
    let harness = WorkerHarness(ScriptedStage(), WorkerConfiguration(window: 8))
    harness.delivery.hold()
    for number in 0..<200 { harness.publish("\(number)") }
    await harness.run {
      harness.source.assign(harness.input)
      await harness.delivery.attempts.wait(forCount: 1)
      await harness.pass(seconds: 30)
      #expect(harness.source.taken <= 8)
      harness.delivery.letGo()
      await harness.pass { harness.broker.committed(harness.input) == 200 }
    }
    #expect(harness.outputs == (0..<200).map { "of \($0)" })
  }

  @Test func theWaitBetweenDeliveriesGrowsAndIsBounded() async {
    let harness = WorkerHarness()
    let times = EventLog<Double>()
    for _ in 0..<12 { harness.delivery.failNext(.retriable("down")) }
    harness.publish("x")
    await harness.run {
      harness.source.assign(harness.input)
      for count in 1...13 {
        await harness.pass { harness.delivery.attempts.count >= count }
        times.append(harness.clock.elapsed)
      }
    }
    let waits = zip(times.events, times.events.dropFirst()).map { $1 - $0 }
    #expect(waits.allSatisfy { $0 <= 11 }, "\(waits)")
    #expect(waits.last.map { $0 >= 9 } == true, "\(waits)")
  }

  @Test func aStaleDeliveryOfPartitionsThatStayIsDeliveredAgain() async {
    let harness = WorkerHarness()
    harness.delivery.failNext(.stale("rebalance in progress"))
    harness.publish("a", "b", "c")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 3 }
    }
    #expect(harness.outputs == ["of a", "of b", "of c"], "a result was skipped although its offset was committed")
  }

  @Test func aStaleDeliveryKeepsTheOtherPartitionsResults() async {
    let harness = WorkerHarness(ScriptedStage(), WorkerConfiguration(deliveryInterval: .seconds(1)))
    harness.delivery.hold()
    harness.delivery.failNext(.stale("illegal generation"))
    harness.publish("first")
    harness.publish("lost")
    harness.publish("kept", to: 1)
    await harness.run {
      harness.source.assign(harness.input, harness.other)
      await harness.delivery.attempts.wait(forCount: 1)
      harness.source.lose(harness.input)
      await harness.source.calls.wait { $0.contains(.released([harness.input])) }
      harness.delivery.letGo()
      await harness.pass { harness.broker.committed(harness.other) == 1 }
    }
    #expect(harness.outputs == ["of kept"])
    #expect(harness.broker.committed(harness.input) == nil)
  }

  @Test func aFatalFailureEndsRunWithItsReason() async {
    let harness = WorkerHarness()
    harness.delivery.failNext(.fatal("fenced by another producer"))
    harness.publish("a")
    let error = await harness.run {
      harness.source.assign(harness.input)
      await harness.log.wait(for: "Stopped")
    }
    #expect(error == .fatal("fenced by another producer"))
    #expect(harness.outputs.isEmpty)
    #expect(harness.broker.committed(harness.input) == nil)
    #expect(harness.delivery.attempts.count == 1)
  }

  @Test func anOutputThatIsTooLargeDeadLettersItsInputAndNothingElse() async throws {
    let harness = WorkerHarness(
      ScriptedStage { message in
        let size = message.text == "big" ? 5000 : 1
        return [
          ScriptedStage.output(message),
          OutgoingMessage(topic: .videoRecords, key: nil, value: Array(repeating: 65, count: size), headers: []),
        ]
      }, largestOutput: 2000)
    harness.publish("a", "big", "c")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 3 }
    }
    #expect(harness.outputs == ["of a", "of c"])
    #expect(harness.broker.messages(.videoRecords).count == 2)
    let letter = try #require(harness.broker.messages(.dead(.channels)).first)
    #expect(letter.text == "big")
    #expect(letter.headers["tubeline-error-code"] == "messageTooLarge")
    #expect(harness.broker.messages(.requestEvents).map(\.text) == ["farewell messageTooLarge"])
    #expect(harness.metrics.value("tubeline_messages_dead_lettered_total", "channels", "messageTooLarge") == 1)
  }

  @Test func aDeadLetterThatIsTooLargeLosesItsValue() async throws {
    let harness = WorkerHarness(
      ScriptedStage { _ throws(StageFailure) in throw .reject(Rejection(.invalidJSON, "no JSON")) }, largestOutput: 2000)
    harness.publish(String(repeating: "x", count: 5000), "small")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 2 }
    }
    let letters = harness.broker.messages(.dead(.channels))
    #expect(letters.map(\.value) == [nil, Array("small".utf8)])
    #expect(letters.first?.headers["tubeline-origin-offset"] == "0")
    #expect(letters.map { $0.headers["tubeline-omitted-bytes"] } == ["5000", nil], "a tombstone's letter has no value, too")
    #expect(letters.map { $0.headers["tubeline-error-code"] } == ["invalidJSON", "invalidJSON"])
  }

  @Test func whatIsPublishedIsNotPublishedAgainBecauseOfTheRest() async {
    let harness = WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        if message.text.count > 1 { throw .reject(Rejection(.invalidJSON, "no JSON")) }
        return [ScriptedStage.output(message)]
      }, largestOutput: 2000, isTransactional: false)
    harness.publish("a", String(repeating: "x", count: 5000), "c")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 3 }
    }
    #expect(harness.outputs.sorted() == ["of a", "of c"])
    #expect(harness.broker.messages(.requestEvents).map(\.text) == ["farewell invalidJSON"], "a request ends once")
    #expect(harness.broker.messages(.dead(.channels)).map(\.text) == ["null"])
  }

  @Test(arguments: [("ours", 5000), ("big", 5000)]) func headersThatAreTooLargeComeToAnEnd(name: String, size: Int) async {
    let harness = WorkerHarness(
      ScriptedStage { _ throws(StageFailure) in throw .reject(Rejection(.invalidJSON, "no JSON")) }, largestOutput: 2000)
    harness.broker.append("x", headers: [MessageHeader(name, Array(repeating: 65, count: size))], to: .channelRequests)
    harness.publish("next")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 2 }
    }
    #expect(harness.broker.messages(.dead(.channels)).count == 2)
    #expect(harness.broker.messages(.requestEvents).count == 2)
  }

  @Test func whatCannotBeMadeSmallerIsDroppedAloud() async {
    let harness = WorkerHarness(largestOutput: 3)
    harness.publish("x")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 1 }
    }
    #expect(harness.log.entries.events.contains { $0.metadata.contains { $0.key == "output.dropped" && $0.value == .bool(true) } })
  }
}
