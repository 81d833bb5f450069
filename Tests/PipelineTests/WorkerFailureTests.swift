import FoundationEssentials
import Messages
import Pipeline
import Synchronization
import Telemetry
import TestSupport
import Testing

@Suite("Worker: failures of a stage", .timeLimit(.minutes(1)))
struct WorkerFailureTests {
  private static let trouble = Rejection(.attemptsExhausted, "503")

  @Test func aFailedMessageGoesToTheRetryTopicWithItsTimeAndAttempt() async throws {
    let harness = WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        if message.text == "bad" { throw .retry(after: nil, Self.trouble) }
        return [ScriptedStage.output(message)]
      })
    harness.publish("bad", "good")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 2 }
    }
    #expect(harness.outputs == ["of good"])
    let retried = try #require(harness.broker.messages(.retry(.channels)).first)
    #expect(retried.text == "bad")
    #expect(retried.headers["tubeline-attempt"] == "1")
    #expect(retried.headers["tubeline-error-code"] == "attemptsExhausted")
    let notBefore = try #require(retried.headers["tubeline-not-before"].flatMap(Timestamp.parse))
    let delay = notBefore.timeIntervalSince(WorkerHarness.base)
    #expect(delay >= 2.5 && delay <= 5 + harness.clock.elapsed)
    #expect(harness.metrics.value("tubeline_messages_retried_total", "channels") == 1)
  }

  @Test func theRetryTopicsMessageIsHandledAtItsTimeAndNoSooner() async {
    let times = EventLog<Double>()
    let clock = Mutex<ManualClock?>(nil)
    let harness = WorkerHarness(
      ScriptedStage { message in
        times.append(clock.withLock { $0?.elapsed } ?? -1)
        return [ScriptedStage.output(message)]
      })
    clock.withLock { $0 = harness.clock }
    let retry = TopicPartition(topic: "channels-retry", partition: 0)
    let headers = [
      MessageHeader("tubeline-not-before", Timestamp.rfc3339(WorkerHarness.base.addingTimeInterval(30))),
      MessageHeader("tubeline-attempt", "2"),
    ]
    harness.broker.append("again", headers: headers, to: .retry(.channels))
    await harness.run {
      harness.source.assign(retry)
      await harness.pass { await harness.worker.status.delayed == 1 }
      await harness.pass { harness.broker.committed(retry) == 1 }
    }
    #expect(times.events.count == 1)
    #expect(times.events.allSatisfy { $0 >= 30 && $0 < 32 }, "\(times.events)")
  }

  @Test func whatTheServerAsksForIsWaited() async throws {
    let harness = WorkerHarness(ScriptedStage { _ throws(StageFailure) in throw .retry(after: .seconds(120), Self.trouble) })
    harness.publish("x")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 1 }
    }
    let header = try #require(harness.broker.messages(.retry(.channels)).first?.headers["tubeline-not-before"])
    #expect(try #require(Timestamp.parse(header)) >= WorkerHarness.base.addingTimeInterval(120))
  }

  @Test func theLastAttemptEndsInTheDeadLetterTopicWithAFarewell() async throws {
    let retry = TopicPartition(topic: "channels-retry", partition: 0)
    let harness = WorkerHarness(
      ScriptedStage { _ throws(StageFailure) in throw .retry(after: nil, Self.trouble) },
      WorkerConfiguration(retry: RetryPolicy(attempts: 3)))
    harness.broker.append("x", headers: [MessageHeader("tubeline-attempt", "2"), MessageHeader("keep", "me")], to: .retry(.channels))
    await harness.run {
      harness.source.assign(retry)
      await harness.pass { harness.broker.committed(retry) == 1 }
    }
    #expect(harness.broker.messages(.retry(.channels)).count == 1)
    let letter = try #require(harness.broker.messages(.dead(.channels)).first)
    #expect(letter.text == "x")
    #expect(letter.headers["keep"] == "me")
    #expect(letter.headers["tubeline-attempt"] == "3")
    #expect(letter.headers["tubeline-error-code"] == "attemptsExhausted")
    #expect(letter.headers["tubeline-error-message"]?.contains("503") == true)
    #expect(harness.broker.messages(.requestEvents).map(\.text) == ["farewell attemptsExhausted"])
    #expect(harness.metrics.value("tubeline_messages_dead_lettered_total", "channels", "attemptsExhausted") == 1)
  }

  @Test func aRejectedMessageIsDeadLetteredAtOnceAndHoldsNothingUp() async throws {
    let harness = WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        if message.text == "bad" { throw .reject(Rejection(.invalidJSON, "no JSON")) }
        return [ScriptedStage.output(message)]
      })
    harness.publish("bad", "good")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 2 }
    }
    let letter = try #require(harness.broker.messages(.dead(.channels)).first)
    #expect(letter.headers["tubeline-error-code"] == "invalidJSON")
    #expect(letter.headers["tubeline-attempt"] == "1")
    #expect(harness.outputs == ["of good"])
  }

  @Test func aRetryInPlaceKeepsTheOrderWhileLaterOnesGoOn() async {
    let failures = Mutex(0)
    let harness = WorkerHarness(
      ScriptedStage(retriesInPlace: true, name: .videos) { message throws(StageFailure) in
        let isFailing =
          message.text == "bad"
          && failures.withLock {
            $0 += 1
            return $0
          } < 4
        if isFailing { throw .retry(after: nil, Self.trouble) }
        return [ScriptedStage.output(message)]
      })
    harness.publish("a", "bad", "c")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.stage.starts.wait(forCount: 3)
      await harness.pass { harness.broker.committed(harness.input) == 3 }
    }
    #expect(harness.outputs == ["of a", "of bad", "of c"])
    #expect(harness.stage.starts.events.count { $0 == "bad" } == 4)
    #expect(harness.broker.messages(.retry(.videos)).isEmpty)
  }

  @Test func theLastAttemptInPlaceIsDeadLetteredInItsPlace() async throws {
    let harness = WorkerHarness(
      ScriptedStage(retriesInPlace: true, name: .videos) { message throws(StageFailure) in
        if message.text == "bad" { throw .retry(after: nil, Self.trouble) }
        return [ScriptedStage.output(message)]
      }, WorkerConfiguration(retry: RetryPolicy(attempts: 3, delay: .seconds(1))))
    harness.publish("bad", "c")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 2 }
    }
    let all = harness.delivery.delivered.events.flatMap(\.outputs).map(\.topic)
    #expect(all == [.requestEvents, .dead(.videos), .channelDetails])
    #expect(harness.broker.messages(.dead(.videos)).first?.headers["tubeline-attempt"] == "3")
  }

  @Test func aStoppedStageAsksWithOneMessageAndRecoversWithoutLosingAttempts() async throws {
    let isMended = Mutex(false)
    let harness = WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        if !isMended.withLock({ $0 }) { throw .stop(fix: "Set a valid key.") }
        return [ScriptedStage.output(message)]
      }, WorkerConfiguration(concurrency: 2, retry: RetryPolicy(attempts: 1), stoppedDelay: .seconds(30)))
    for number in 0..<50 { harness.publish("\(number)") }
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { await harness.worker.status.stopReason == "Set a valid key." }
      await harness.pass(seconds: 300)
      #expect(harness.stage.starts.count <= 2 + 11, "every message asks again instead of one: \(harness.stage.starts.count)")
      #expect(harness.stage.starts.count >= 2 + 8)
      await harness.worker.updateGauges()
      #expect(harness.metrics.value("tubeline_stage_stopped", "channels") == 1)
      #expect(harness.log.messages.count { $0.hasPrefix("The stage is stopped") } == 1)
      isMended.withLock { $0 = true }
      await harness.pass { harness.broker.committed(harness.input) == 50 }
      #expect(await harness.worker.status.stopReason == nil)
    }
    #expect(harness.outputs == (0..<50).map { "of \($0)" })
    #expect(harness.broker.messages(.dead(.channels)).isEmpty)
  }

  @Test func aPostponedMessageLeavesItsPlaceAndKeepsItsAttempts() async throws {
    let until = WorkerHarness.base.addingTimeInterval(7200)
    let harness = WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        if message.text == "search" { throw .postpone(until: until, Rejection(.attemptsExhausted, "No quota.")) }
        return [ScriptedStage.output(message)]
      })
    harness.publish("search", "other")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 2 }
    }
    let message = try #require(harness.broker.messages(.retry(.channels)).first)
    #expect(message.text == "search")
    #expect(message.headers["tubeline-attempt"] == "0")
    #expect(message.headers["tubeline-requeued"] == "1")
    #expect(message.headers["tubeline-not-before"] == Timestamp.rfc3339(until))
    #expect(harness.outputs == ["of other"])
  }

  @Test func anOutageOpensTheBreakerAndCostsNoAttempts() async throws {
    let isOver = Mutex(false)
    let configuration = WorkerConfiguration(
      concurrency: 4, retry: RetryPolicy(attempts: 2, delay: .seconds(1)), breakerFailures: 3, breakerDelay: .seconds(5))
    let harness = WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        if !isOver.withLock({ $0 }) { throw .retry(after: nil, Self.trouble) }
        return [ScriptedStage.output(message)]
      }, configuration)
    let changes = EventLog<String>()
    await harness.worker.onHaltChange { changes.append("changed") }
    for number in 0..<20 { harness.publish("\(number)") }
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { await harness.worker.status.outage != nil }
      #expect(await !harness.worker.status.isReady)
      await harness.pass(seconds: 300)
      // Probes after 5, 10, 20, 40, and then each 60 seconds.
      #expect(harness.stage.starts.count <= 4 + 9, "\(harness.stage.starts.events)")
      #expect(harness.stage.starts.count >= 4 + 6)
      #expect(Set(harness.stage.starts.events.dropFirst(4)).count > 1, "one bad message must not be the only one that asks")
      await harness.worker.updateGauges()
      #expect(harness.metrics.value("tubeline_breaker_open", "channels") == 1)
      #expect(harness.metrics.value("tubeline_breaker_openings_total", "channels") == 1)
      #expect(changes.count == 1, "probes are no news")
      isOver.withLock { $0 = true }
      await harness.pass { harness.broker.committed(harness.input) == 20 }
      #expect(await harness.worker.status.isReady)
      #expect(changes.count == 2)
      let totals = harness.worker.totals
      #expect(totals.consumed == 20 && totals.produced == 20 && totals.retried == 2 && totals.deadLettered == 0, "\(totals)")
    }
    // The two failures before it was known to be an outage went to the retry topic; the others waited in their places.
    #expect(harness.broker.messages(.retry(.channels)).count == 2)
    #expect(harness.outputs.count == 18)
    #expect(harness.broker.messages(.dead(.channels)).isEmpty)
  }

  @Test func brokenMessagesThatOpenTheBreakerHoldUpNoOthersAndEnd() async throws {
    let configuration = WorkerConfiguration(
      concurrency: 4, retry: RetryPolicy(attempts: 3, delay: .seconds(1)), breakerFailures: 3, breakerDelay: .seconds(5))
    let harness = WorkerHarness(
      ScriptedStage(retriesInPlace: true, name: .videos) { message throws(StageFailure) in
        if message.text.hasPrefix("bad") { throw .retry(after: nil, Self.trouble) }
        return [ScriptedStage.output(message)]
      }, configuration)
    for number in 0..<6 { harness.publish("bad \(number)") }
    for number in 0..<6 { harness.publish("good \(number)") }
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass(seconds: 120)
      #expect(harness.stage.starts.events.filter { $0.hasPrefix("good") }.count == 6, "no later than the breaker asks")
      await harness.pass { harness.broker.committed(harness.input) == 12 }
    }
    #expect(harness.broker.messages(.dead(.videos)).count == 6)
    #expect(harness.outputs.count == 6)
  }

  @Test func oneMessageThatAlwaysFailsIsNoOutage() async throws {
    let harness = WorkerHarness(
      ScriptedStage(retriesInPlace: true, name: .videos) { message throws(StageFailure) in
        if message.text == "bad" { throw .retry(after: nil, Self.trouble) }
        return [ScriptedStage.output(message)]
      }, WorkerConfiguration(retry: RetryPolicy(attempts: 6, delay: .seconds(1)), breakerFailures: 2))
    harness.publish("bad", "c")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 2 }
    }
    #expect(harness.broker.messages(.dead(.videos)).count == 1)
    #expect(harness.metrics.value("tubeline_breaker_openings_total", "videos") == nil)
  }

  @Test func aStrayCancellationDoesNotHoldThePartition() async {
    let failures = Mutex(0)
    let harness = WorkerHarness(
      ScriptedStage { message throws(StageFailure) in
        let isFirst =
          failures.withLock {
            $0 += 1
            return $0
          } == 1
        if isFirst { throw .cancelled }
        return [ScriptedStage.output(message)]
      })
    harness.publish("x")
    await harness.run {
      harness.source.assign(harness.input)
      await harness.pass { harness.broker.committed(harness.input) == 1 }
    }
    #expect(harness.outputs == ["of x"])
  }

  @Test func errorsOfTheClientAreCountedAndAFatalOneEndsTheWorker() async {
    let harness = WorkerHarness()
    let error = await harness.run {
      harness.source.fail("broker down", isFatal: false)
      await harness.log.wait(for: "Kafka reports an error")
      #expect(harness.metrics.value("tubeline_kafka_errors_total", "channels") == 1)
      harness.source.fail("fenced", isFatal: true)
      await harness.log.wait(for: "Stopped")
    }
    #expect(error == .fatal("fenced"))
    #expect(harness.source.calls.events.last == .closed)
    #expect(harness.delivery.isClosed)
  }

  @Test func partitionsThatCannotBeReadEndTheWorker() async throws {
    let harness = WorkerHarness()
    harness.source.failStart("no committed offsets")
    let ended = await harness.run {
      harness.source.assign(harness.input)
      await harness.log.wait(for: "Stopped")
    }
    let error = try #require(ended)
    #expect("\(error)".contains("no committed offsets"))
  }
}
