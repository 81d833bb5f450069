import Kafka
import Messages
import Pipeline
import Testing

@testable import WorkerApp

@Suite("Exactly-once deliveries", .timeLimit(.minutes(1)))
struct ExactlyOnceDeliveryTests {
  enum Outcome: Equatable { case delivered, retriable, stale, fatal }

  private func outcome(_ failure: DeliveryFailure?) -> Outcome? {
    switch failure {
    case nil: .delivered
    case .retriable: .retriable
    case .stale: .stale
    case .fatal: .fatal
    case .tooLarge, .partial: nil
    }
  }

  // 22 ILLEGAL_GENERATION, 25 UNKNOWN_MEMBER_ID, 29 TOPIC_AUTHORIZATION_FAILED, 30 GROUP_AUTHORIZATION_FAILED,
  // 49 INVALID_PRODUCER_ID_MAPPING, 59 UNKNOWN_PRODUCER_ID, 82 FENCED_INSTANCE_ID,
  // 87 INVALID_RECORD.
  @Test(arguments: [
    (Request.addPartitionsToTransaction, Int32(29), Outcome.retriable), (.addPartitionsToTransaction, 49, .retriable),
    (.addOffsetsToTransaction, 30, .retriable), (.commitOffsetsOfTransaction, 30, .retriable),
    (.commitOffsetsOfTransaction, 22, .stale), (.commitOffsetsOfTransaction, 25, .stale), (.commitOffsetsOfTransaction, 82, .stale),
    (.endTransaction, 59, .retriable), (.produce, 87, .retriable),
  ])
  func anAbortableErrorAbortsAndTheSameBatchCanBeDeliveredAgain(request: Request, code: Int32, expected: Outcome) async throws {
    let bench = try await TransactionBench()
    try bench.cluster.pushErrors(apiKey: request.rawValue, [code])
    let first = await bench.deliver(3)
    #expect(outcome(first) == expected, "\(String(describing: first))")
    let before = try await bench.published()
    // librdkafka may notice a refused record's consequences only in the next transaction, which is then aborted as well.
    var again = await bench.deliver(3)
    if request == .produce, outcome(again) == .retriable { again = await bench.deliver(3) }
    #expect(again == nil, "\(String(describing: again))")
    #expect(try await bench.published() == before + 3)
    await bench.close()
  }

  // 47 INVALID_PRODUCER_EPOCH, 48 INVALID_TXN_STATE, 53 TRANSACTIONAL_ID_AUTHORIZATION_FAILED, 90 PRODUCER_FENCED.
  @Test(arguments: [
    (Request.addPartitionsToTransaction, Int32(47)), (.addPartitionsToTransaction, 90), (.addPartitionsToTransaction, 53),
    (.produce, 47), (.addOffsetsToTransaction, 47), (.commitOffsetsOfTransaction, 47), (.endTransaction, 47), (.endTransaction, 90),
    (.endTransaction, 48),
  ])
  func aFatalErrorStaysFatal(request: Request, code: Int32) async throws {
    let bench = try await TransactionBench()
    try bench.cluster.pushErrors(apiKey: request.rawValue, [code])
    let first = await bench.deliver()
    #expect(outcome(first) == .fatal, "\(String(describing: first))")
    if [47, 90].contains(code), case .fatal(let reason) = first {
      #expect(reason.contains("tubeline-test-w1") && reason.contains("WORKER_ID"), "\(reason)")
    }
    #expect(outcome(await bench.deliver()) == .fatal)
    await bench.close()
  }

  // 14 COORDINATOR_LOAD_IN_PROGRESS, 15 COORDINATOR_NOT_AVAILABLE, 16 NOT_COORDINATOR, 51 CONCURRENT_TRANSACTIONS.
  @Test(arguments: [
    (Request.addPartitionsToTransaction, Int32(51)), (.addOffsetsToTransaction, 16), (.commitOffsetsOfTransaction, 14),
    (.endTransaction, 15), (.produce, 6),
  ])
  func aPassingErrorIsNotNoticed(request: Request, code: Int32) async throws {
    let bench = try await TransactionBench()
    try bench.cluster.pushErrors(apiKey: request.rawValue, [code])
    #expect(await bench.deliver(3) == nil)
    #expect(try await bench.published() == 3)
    await bench.close()
  }

  // The error of the abort's own request shows that it was made.
  @Test func staleOffsetsEndTheTransactionAtTheCoordinator() async throws {
    let bench = try await TransactionBench()
    try bench.cluster.pushErrors(apiKey: Request.commitOffsetsOfTransaction.rawValue, [22])
    try bench.cluster.pushErrors(apiKey: Request.endTransaction.rawValue, [90])
    #expect(outcome(await bench.deliver()) == .fatal)
    await bench.close()
  }

  @Test func aMemberThatLostItsGroupPublishesNothing() async throws {
    let bench = try await TransactionBench()
    try bench.cluster.pushErrors(apiKey: Request.heartbeat.rawValue, [25])
    await bench.event { if case .lost = $0 { true } else { false } }
    #expect(outcome(await bench.deliver()) == .stale)
    #expect(try await bench.published() == 0)
    await bench.close()
  }

  @Test func aTransactionThatTakesTooLongIsAbortedBeforeTheBrokerEndsIt() async throws {
    let bench = try await TransactionBench(["transaction.timeout.ms": "3000"])
    // Each but the last is fast enough.
    for request in [Request.addPartitionsToTransaction, .addOffsetsToTransaction, .commitOffsetsOfTransaction] {
      try bench.cluster.delayNext(apiKey: request.rawValue, by: .milliseconds(800))
    }
    #expect(outcome(await bench.deliver()) == .retriable)
    #expect(await bench.deliver() == nil)
    #expect(try await bench.published() == 2)
    await bench.close()
  }

  @Test(arguments: [
    Request.addPartitionsToTransaction, .produce, .addOffsetsToTransaction, .commitOffsetsOfTransaction, .endTransaction,
  ])
  func aCancelledDeliveryDoesNotWaitForAnAnswerThatDoesNotCome(request: Request) async throws {
    let bench = try await TransactionBench()
    try bench.cluster.delayNext(apiKey: request.rawValue, by: .seconds(40))
    let clock = ContinuousClock()
    let start = clock.now
    let task = Task { await bench.deliver() }
    task.cancel()
    #expect(outcome(await task.value) == .retriable)
    let cancelled = clock.now
    // Less than a second: it never waited.
    #expect(cancelled - start >= .seconds(1) && cancelled - start < .seconds(20), "\(cancelled - start)")
    await bench.delivery.close()
    #expect(clock.now - cancelled < .seconds(20), "\(clock.now - cancelled)")
    await bench.member.close()
  }

  @Test func aCancelledDeliveryIsFinishedByABrokerThatAnswers() async throws {
    let bench = try await TransactionBench(grace: .seconds(30))
    let task = Task { await bench.deliver(3) }
    task.cancel()
    #expect(await task.value == nil)
    await bench.close()
  }

  @Test(arguments: [Request.produce, .commitOffsetsOfTransaction, .endTransaction])
  func aWorkerThatIsStoppedDoesNotOutliveItsGraceForABrokerThatHangs(request: Request) async throws {
    let bench = try await TransactionBench(takesPartition: false)
    let (handled, handle) = AsyncStream.makeStream(of: Void.self)
    let worker = Worker(
      stage: OneOutputStage(handled: handle), source: bench.member, delivery: bench.delivery,
      configuration: WorkerConfiguration(shutdownGrace: .seconds(1)))
    try await bench.send()
    try bench.cluster.delayNext(apiKey: request.rawValue, by: .seconds(40))
    let run = Task { try await worker.run() }
    for await _ in handled { break }
    let start = ContinuousClock.now
    await worker.shutDown()
    try await run.value
    // A second of grace, one to end the transaction, three to leave the group, one to close the producer.
    let elapsed = ContinuousClock.now - start
    #expect(elapsed >= .seconds(1) && elapsed < .seconds(20), "\(elapsed)")
  }
}

private struct OneOutputStage: Stage {
  let name = StageName.channels
  let inputs = [Topic("in")]
  let retriesInPlace = true
  let skipsRepetitions = false
  let handled: AsyncStream<Void>.Continuation

  func handle(_ message: ReceivedMessage) async throws(StageFailure) -> [OutgoingMessage] {
    handled.yield()
    return [OutgoingMessage(topic: .requestEvents, key: nil, value: [1], headers: [])]
  }

  func farewell(to message: ReceivedMessage, because rejection: Rejection) -> [OutgoingMessage] { [] }
}
