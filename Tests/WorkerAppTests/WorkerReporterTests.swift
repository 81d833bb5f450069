import FoundationEssentials
import JSON
import Kafka
import Messages
import Synchronization
import TestSupport
import Testing

@testable import WorkerApp

@Suite("Reports of a worker", .timeLimit(.minutes(1)))
struct WorkerReporterTests {
  @Test func aWorkerReportsAtOnceEveryFewSecondsAndOnAChange() async throws {
    try await withReporter { reporter, clock, log in
      let number = Mutex(0)
      let running = Task {
        await reporter.run {
          Self.report {
            $0.running = number.withLock { number in
              number += 1
              return number
            }
          }
        }
      }
      let first = try await log.next()
      #expect(first == 1)
      await clock.waitUntilSleepers(1)
      clock.advance(by: WorkerReporter.interval)
      let second = try await log.next()
      #expect(second == 2, "the interval is over")
      reporter.changed()
      let third = try await log.next()
      #expect(third == 3, "something changed")
      await reporter.close(isClean: true)
      let last = try await log.next()
      #expect(last == nil, "a clean end takes the report back")
      await running.value
    }
  }

  @Test func aReportTellsWhatWasTakenSinceTheOneBefore() async throws {
    try await withReporter { reporter, _, log in
      let consumed = Mutex(0)
      let running = Task {
        await reporter.run { Self.report { $0.totals.consumed = consumed.withLock { $0 } } }
      }
      for (total, recent) in [(0, 0), (70, 70), (100, 30), (100, 0)] {
        consumed.withLock { $0 = total }
        if total > 0 { reporter.changed() }
        let report = try await log.nextReport()
        #expect(report?.totals.consumed == total && report?.recent == recent)
      }
      await reporter.close(isClean: false)
      await running.value
    }
  }

  @Test func aWorkerThatFailsLeavesItsLastReport() async throws {
    try await withReporter { reporter, _, log in
      let running = Task { await reporter.run { Self.report() } }
      let seen = try await log.next()
      #expect(seen == 0)
      await reporter.close(isClean: false)
      await running.value
      let end = try await log.end()
      #expect(end == 1)
    }
  }

  @Test func aBrokerThatIsAwayDoesNotHoldUpTheEnd() async throws {
    let reporter = WorkerReporter(
      KafkaConfiguration(bootstrapServers: "127.0.0.1:1"), prefix: "", stage: .videos, worker: "w", clientID: "c", logger: .silent)
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let running = Task {
      await reporter.run {
        ask.yield()
        return Self.report()
      }
    }
    for await _ in asked { break }
    let clock = ContinuousClock()
    let start = clock.now
    await reporter.close(isClean: true)
    await running.value
    #expect(clock.now - start < .seconds(4))
  }

  @Test func aMissingTopicIsNotMadeAndIsNoTrouble() async throws {
    let cluster = try MockCluster()
    let kafka = KafkaConfiguration(bootstrapServers: cluster.bootstrapServers)
    let recorder = LogRecorder()
    let reporter = WorkerReporter(
      kafka, prefix: "p-", stage: .videos, worker: "w", clientID: "c", clock: ManualClock(), logger: recorder.logger())
    let running = Task { await reporter.run { Self.report() } }
    await recorder.wait(for: "There is no topic for the states of workers")
    await reporter.close(isClean: true)
    await running.value
    #expect(recorder.entries.events.allSatisfy { $0.level == .debug })
    let admin = try Admin(configuration: kafka, clientID: "c", logger: .silent)
    #expect(try await admin.describeCluster().topics.isEmpty)
    await admin.close()
    await cluster.close()
  }

  @Test func whatAllClientsAreToldDoesNotSpoilTheReports() async throws {
    let properties = ["delivery.timeout.ms": "100000", "linger.ms": "9000", "acks": "all", "enable.gapless.guarantee": "true"]
    try await withReporter(properties) { reporter, _, log in
      let running = Task { await reporter.run { Self.report() } }
      let seen = try await log.next()
      #expect(seen == 0)
      await reporter.close(isClean: true)
      await running.value
    }
  }

  private static func report(_ change: (inout WorkerReport) -> Void = { _ in }) -> WorkerReport {
    var report = WorkerReport(stage: .videos, worker: "w", at: "t")
    change(&report)
    return report
  }

  private func withReporter(
    _ properties: [String: String] = [:], _ body: (WorkerReporter, ManualClock, ReportLog) async throws -> Void
  ) async throws {
    let cluster = try MockCluster()
    try cluster.createTopic("p-worker-status", partitions: 1)
    let clock = ManualClock()
    let reporter = WorkerReporter(
      KafkaConfiguration(bootstrapServers: cluster.bootstrapServers, properties: properties), prefix: "p-", stage: .videos, worker: "w",
      clientID: "c", clock: clock, logger: .silent)
    let log = try await ReportLog(cluster.bootstrapServers)
    try await body(reporter, clock, log)
    await log.close()
    await cluster.close()
  }
}

/// Reads the reports along.
private actor ReportLog {
  private static let partition = Kafka.TopicPartition(topic: "p-worker-status", partition: 0)
  private let consumer: Consumer
  private let wakes: AsyncStream<Void>

  init(_ servers: String) async throws {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.wakes = wakes
    consumer = try Consumer(
      configuration: KafkaConfiguration(bootstrapServers: servers), groupID: "r", clientID: "r", logger: .silent, wake: { wake.yield() })
    try await consumer.assign([Self.partition: .beginning])
    wake.yield()
  }

  /// The number of running messages in the next report; `nil` for a tombstone.
  func next() async throws -> Int? { try await nextReport()?.running }

  func nextReport() async throws -> WorkerReport? {
    while true {
      if let record = consumer.take(from: Self.partition, upTo: 1).first {
        #expect(record.key == Array("videos/w".utf8))
        guard let value = record.value else { return nil }
        #expect(record.headers.contains { $0.name == "ce_type" && $0.value == Array("tubeline.worker-report.v1".utf8) })
        return try WorkerReport(json: JSONDocument.parse(value).root)
      }
      _ = consumer.poll()
      for await _ in wakes { break }
    }
  }

  func end() async throws -> Int64 { try await consumer.watermarks(Self.partition).upperBound }

  func close() async { await consumer.close() }
}
