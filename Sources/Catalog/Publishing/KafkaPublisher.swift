import Kafka
import Messages
import Monitoring
import Telemetry

/// Publishes by an idempotent producer. A producer would create a missing topic with a broker's own settings, so the topic is looked for.
actor KafkaPublisher: RequestPublisher {
  private let kafka: KafkaConfiguration
  private let prefix: String
  private let logger: Logger
  private var producer: Producer?
  private var known: Set<String> = []
  private var isClosed = false

  private static let program = "catalog"

  /// - Parameter patience: how long Kafka may take; a person waits for the answer.
  init(_ kafka: KafkaConfiguration, prefix: String, patience: Duration = .seconds(15), logger: Logger) {
    var kafka = kafka
    for alias in ["delivery.timeout.ms", "linger.ms"] { kafka.properties[alias] = nil }
    kafka.properties.merge([
      "message.timeout.ms": "\(patience.components.seconds * 1000)", "queue.buffering.max.ms": "0", "queue.buffering.max.kbytes": "4096",
    ]) { $1 }
    self.kafka = kafka
    self.prefix = prefix
    self.logger = logger
  }

  func publish(_ message: PublishedMessage) async throws(Problem) {
    let record = record(message)
    do {
      try await requireTopic(record.topic)
      try await opened().send([record])
    } catch let problem as Problem {
      throw problem
    } catch {
      logger.warning("A request could not be published", ["topic": .string(record.topic), "error": "\(error)"])
      if let error = error as? ProduceError, error.isUncertain { throw .uncertain(message) }
      throw Problem(.unavailable, "Kafka did not take the request; try again.")
    }
  }

  private func record(_ message: PublishedMessage) -> ProducerRecord {
    switch message {
    case .channel(let request): CommandMessage.record(request, prefix: prefix, program: Self.program)
    case .search(let request): CommandMessage.record(request, prefix: prefix, program: Self.program)
    case .cancel(let id): ControlMessage.record(.cancel, id, prefix: prefix, program: Self.program)
    }
  }

  private func requireTopic(_ name: String) async throws {
    guard !known.contains(name) else { return }
    let admin = try Admin(configuration: kafka, clientID: "tubeline-catalog", logger: .silent)
    let cluster: Result<ClusterDescription, any Error>
    do { cluster = .success(try await admin.describeCluster(timeout: .seconds(5))) } catch { cluster = .failure(error) }
    await admin.close()
    guard try !cluster.get().partitions(of: [name]).isEmpty else {
      throw Problem(.unavailable, "There is no topic \(name). Create it with: tubeline topics create")
    }
    known.insert(name)
  }

  private func opened() throws -> Producer {
    guard !isClosed else { throw Problem(.unavailable, "The catalogue is about to end.") }
    if let producer { return producer }
    let new = try Producer(configuration: kafka, clientID: "tubeline-catalog", logger: logger)
    producer = new
    return new
  }

  func close() async {
    isClosed = true
    await producer?.close(flushTimeout: .seconds(3))
    producer = nil
  }
}

extension Problem {
  /// It was sent, and Kafka has not said that it is stored.
  fileprivate static func uncertain(_ message: PublishedMessage) -> Problem {
    let id: String?
    switch message {
    case .channel(let request): id = request.requestID
    case .search(let request): id = request.requestID
    case .cancel: return Problem(.unavailable, "It is not known whether Kafka took the cancellation. To send it again does no harm.")
    }
    return Problem(
      .unavailable,
      "It is not known whether Kafka took the request. If it did, /api/requests lists it once Kafka answers again, and sending it again "
        + "under the same requestId is answered 409. Sent again before that, it may be done twice and cost quota twice.", requestID: id)
  }
}
