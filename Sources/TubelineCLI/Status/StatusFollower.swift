import Kafka
import Messages
import Monitoring

/// Reads requests, orders about them, their events and the workers' reports from the beginning, and goes on where it stopped: a second
/// look costs only what is new.
actor StatusFollower {
  private static let patience = Duration.seconds(10)

  private let kafka: KafkaConfiguration
  private let prefix: String
  private let signal: Signal
  private let reader: TopicReader
  private var partitions: [Kafka.TopicPartition] = []
  private(set) var requests = RequestBoard()
  private(set) var workers = WorkerBoard()

  init(_ kafka: KafkaConfiguration, prefix: String, signal: Signal) throws {
    self.kafka = kafka
    self.prefix = prefix
    self.signal = signal
    reader = try TopicReader(configuration: kafka, logger: .silent, signal: signal)
  }

  /// Begins to read, and reads what is there; throws where a topic is missing.
  func open(_ admin: Admin, _ topics: [Topic]) async throws {
    partitions = try await admin.partitions(of: topics.map { prefix + $0.name }, servers: kafka.bootstrapServers)
    try await read(to: try await reader.open(partitions, from: .beginning))
  }

  /// Reads what was published until now, as far as no open transaction hides it.
  func catchUp() async throws { try await read(to: try await reader.watermarks(partitions)) }

  private func read(to extents: [Kafka.TopicPartition: Range<Int64>]) async throws {
    var hasMoved = false
    var deadline = Deadline(after: Self.patience, signal: signal)
    defer { deadline.cancel() }
    while true {
      let isDone = await reader.hasReached(extents)
      if try await take() {
        hasMoved = true
        continue
      }
      if isDone { return }
      if deadline.hasPassed {
        // A transaction that is still open hides what follows it.
        guard hasMoved else { break }
        hasMoved = false
        deadline = Deadline(after: Self.patience, signal: signal)
      }
      await signal.wait()
      try Task.checkCancellation()
    }
    if let trouble = await reader.trouble { throw BrokerFailure.error(trouble, kafka.bootstrapServers) }
  }

  /// Takes what has come; returns whether there was anything.
  func take() async throws -> Bool {
    let records = try await reader.take()
    for record in records {
      switch record.topic.dropFirst(prefix.count) {
      case RequestEvent.topic.name[...]: requests.note(event: record)
      case SearchRequest.topic.name[...]: requests.note(search: record)
      case RequestControl.topic.name[...]: requests.note(control: record)
      case WorkerReport.topic.name[...]: workers.note(record)
      default: requests.note(request: record)
      }
    }
    return !records.isEmpty
  }

  func close() async { await reader.close() }
}
