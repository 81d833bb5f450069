import Kafka
import Messages
import Telemetry

/// Tells the topic worker-status what this worker is doing: every few seconds, and at once when the stage stops or goes on.
///
/// Reports are a courtesy: what cannot be told is left out, and neither work nor shutdown waits for one.
actor WorkerReporter {
  static let interval = Duration.seconds(5)
  /// How long a clean end waits for its tombstone.
  static let closeLimit = Duration.seconds(1)

  /// How long the look for the topic may take; a shutdown waits for it.
  private static let lookLimit = Duration.seconds(2)
  // A topic that is missing may be created while the worker runs.
  private static let skipsWithoutTopic = 5

  private let kafka: KafkaConfiguration
  private let topic: String
  private let key: [UInt8]
  private let clientID: String
  private let clock: any Clock<Duration>
  private let logger: Logger
  private let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation
  private var timer: Task<Void, Never>?
  private var producer: Producer?
  private var skips = 0
  private var consumed = 0
  private var hasReported = false
  private var isClosed = false

  init(
    _ kafka: KafkaConfiguration, prefix: String, stage: StageName, worker: String, clientID: String,
    clock: any Clock<Duration> = ContinuousClock(), logger: Logger
  ) {
    self.kafka = Self.modest(kafka)
    topic = prefix + WorkerReport.topic.name
    key = Array(WorkerReport.key(stage, worker).utf8)
    self.clientID = clientID
    self.clock = clock
    self.logger = logger
    (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Something changed that others should know at once.
  nonisolated func changed() { wake.yield() }

  /// Reports until `close`.
  func run(_ report: @escaping @Sendable () async -> WorkerReport) async {
    wake.yield()
    for await _ in wakes {
      timer?.cancel()
      guard !isClosed else { return }
      timer = Task { [clock, wake] in
        guard (try? await clock.sleep(for: Self.interval)) != nil else { return }
        wake.yield()
      }
      await publish(withRecent(report()))
    }
  }

  private func withRecent(_ report: WorkerReport) -> WorkerReport {
    var report = report
    report.recent = max(0, report.totals.consumed - consumed)
    consumed = report.totals.consumed
    return report
  }

  private func publish(_ report: WorkerReport) async {
    do {
      let producer = try await producerWhenThereIsATopic()
      // Behind the tombstone a report would make this worker look alive.
      guard let producer, !isClosed else { return }
      hasReported = true
      let headers = report.headers.map { KafkaHeader(name: $0.name, value: $0.value) }
      try await producer.send([ProducerRecord(topic: topic, key: key, value: report.bytes, headers: headers)])
    } catch {
      logger.debug("The worker's state was not reported", ["topic": .string(topic), "error": "\(error)"])
    }
  }

  private func producerWhenThereIsATopic() async throws -> Producer? {
    if let producer { return producer }
    guard skips == 0 else {
      skips -= 1
      return nil
    }
    let partitions = try await TopicLookup.partitions(of: topic, kafka, clientID: clientID, timeout: Self.lookLimit, logger: .silent)
    guard !partitions.isEmpty else {
      skips = Self.skipsWithoutTopic
      logger.debug("There is no topic for the states of workers", ["topic": .string(topic)])
      return nil
    }
    guard !isClosed else { return nil }
    producer = try Producer(configuration: kafka, clientID: clientID, logger: .silent)
    return producer
  }

  /// Takes the last report back when the end is a clean one; returns after `closeLimit` even when no broker answers.
  func close(isClean: Bool) async {
    isClosed = true
    timer?.cancel()
    wake.finish()
    guard let producer else { return }
    if isClean && hasReported { await takeBack(producer) }
    await producer.close(flushTimeout: .milliseconds(1))
  }

  private func takeBack(_ producer: Producer) async {
    let tombstone = ProducerRecord(topic: topic, key: key, value: nil)
    let sending = Task { try await producer.send([tombstone], purgingWhenCancelled: true) }
    let limit = Task {
      guard (try? await Task.sleep(for: Self.closeLimit)) != nil else { return }
      sending.cancel()
    }
    do { try await sending.value } catch {
      logger.debug("The worker's state was not taken back", ["topic": .string(topic), "error": "\(error)"])
    }
    limit.cancel()
  }

  /// Little memory, no waiting, no promise: a report that has not arrived soon is overtaken by the next.
  private static func modest(_ kafka: KafkaConfiguration) -> KafkaConfiguration {
    var modest = kafka
    for alias in ["delivery.timeout.ms", "queue.buffering.max.ms", "request.required.acks", "max.in.flight", "enable.gapless.guarantee"] {
      modest.properties[alias] = nil
    }
    modest.properties.merge([
      "enable.idempotence": "false", "acks": "1", "message.timeout.ms": "4000", "linger.ms": "0",
      "queue.buffering.max.messages": "16", "queue.buffering.max.kbytes": "256",
      // The tombstone must not overtake a report that is sent again.
      "max.in.flight.requests.per.connection": "1",
    ]) { $1 }
    return modest
  }
}
