import FoundationEssentials
import JSON
import Kafka
import Messages
import Stages
import Telemetry

/// Follows the topic request-control from its beginning, in every process: what was cancelled before a restart stays cancelled.
actor RequestControlReader {
  private let kafka: KafkaConfiguration
  private let topic: String
  private let cancelled: CancelledRequests
  private let logger: Logger
  private let onCancel: @Sendable (String) async -> Void
  private let consumer: Consumer
  private let wakes: AsyncStream<Void>
  private var ends: [Kafka.TopicPartition: Bool] = [:]
  private var task: Task<Void, Never>?
  private var isCaughtUp = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  // A topic that is not there holds no orders; it may be created while the worker runs.
  private static let topicInterval = Duration.seconds(30)

  /// - Parameters:
  ///   - clientID: as of the stage's other clients.
  ///   - onCancel: called for each request that is cancelled while this process runs.
  init(
    _ kafka: KafkaConfiguration, prefix: String, clientID: String, cancelled: CancelledRequests, logger: Logger,
    onCancel: @escaping @Sendable (String) async -> Void
  ) throws {
    var configuration = kafka
    configuration.properties["enable.partition.eof"] = "true"
    configuration.properties["enable.auto.commit"] = "false"
    configuration.properties["auto.offset.reset"] = "earliest"
    self.kafka = kafka
    topic = prefix + RequestControl.topic.name
    self.cancelled = cancelled
    self.logger = logger
    self.onCancel = onCancel
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.wakes = wakes
    consumer = try Consumer(
      configuration: configuration, groupID: "\(topic)-reader", clientID: clientID, logger: logger, wake: { wake.yield() })
  }

  func start() {
    task = Task {
      guard await assign() else { return }
      for await _ in wakes { await read() }
    }
  }

  /// Returns when everything has been read that was there at the start, or when there is no such topic, or after `stopWaiting`.
  func caughtUp() async {
    guard !isCaughtUp else { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func stopWaiting() { release() }

  func close() async {
    task?.cancel()
    release()
    await consumer.close()
  }

  private func assign() async -> Bool {
    var failures = 0
    while !Task.isCancelled {
      do {
        let partitions = try await TopicLookup.partitions(
          of: topic, kafka, clientID: "tubeline-control", timeout: .seconds(3), logger: logger)
        if !partitions.isEmpty {
          for partition in partitions { ends[partition] = false }
          try await consumer.assign(Dictionary(uniqueKeysWithValues: partitions.map { ($0, .beginning) }))
          return true
        }
        if !isCaughtUp {
          logger.notice("There is no topic for cancelled requests: none can be cancelled", ["topic": .string(topic)])
          release()
        }
      } catch {
        if failures.isMultiple(of: 30) {
          logger.warning(
            "No work begins yet: the broker does not tell which requests are cancelled", ["topic": .string(topic), "error": "\(error)"])
        }
        failures += 1
      }
      try? await Task.sleep(for: isCaughtUp ? Self.topicInterval : .seconds(1))
    }
    return false
  }

  private func read() async {
    for partition in ends.keys {
      while true {
        let records = consumer.take(from: partition, upTo: 500)
        for record in records { await note(record) }
        if records.count < 500 { break }
      }
    }
    for event in consumer.poll() {
      switch event {
      case .endOfPartition(let partition, _): ends[partition] = true
      case .error(let error):
        logger.log(error.isConnectionTrouble ? .debug : .warning, "Kafka reports an error") { ["error": .string(error.description)] }
      case .assigned, .revoked, .lost, .offsetOutOfRange, .statistics: break
      }
    }
    if !isCaughtUp && ends.values.allSatisfy({ $0 }) { release() }
  }

  private func note(_ record: ConsumedRecord) async {
    guard let value = record.value else { return }
    do {
      let order = try RequestControl(json: JSONDocument.parse(value).root)
      switch order.order {
      case .cancel:
        guard cancelled.insert(order.requestID), isCaughtUp else { return }
        logger.info("Request cancelled", ["request.id": .string(order.requestID)])
        await onCancel(order.requestID)
      }
    } catch {
      logger.warning(
        "An order about a request cannot be read",
        ["topic": .string(topic), "offset": .int(Int(record.offset)), "error": .string("\(error)")])
    }
  }

  private func release() {
    isCaughtUp = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}
