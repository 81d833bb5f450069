import Kafka
import Messages
import SQLite
import Telemetry

/// Brings the topics into the store.
///
/// It reads all partitions itself instead of joining a group: a catalogue is a whole, and the group would share the partitions out among
/// all who carry its name. Where it reads on is what the store says, since only that was stored together with the rows. The group's
/// committed offsets follow, for tools that show a lag, and are never read.
actor CatalogConsumer {
  enum State: String, Sendable { case starting, catchingUp, live, away }

  let topics: CatalogTopics
  private let servers: String
  let store: CatalogStore
  let logger: Logger
  let metrics: Metrics
  private let hub: EventHub
  let onReport: @Sendable (ConsumedRecord) async -> Void
  private let makeConsumer: @Sendable () throws -> Consumer
  private var consumer: Consumer
  private let admin: Admin
  private let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation
  private var cluster: String?
  /// Counts the clusters that were left: what was read of one says nothing about how far the next is read.
  private var changes = 0
  /// Where reading stood before the last look that found the same cluster: all of it was this cluster's.
  private var confirmed: [Kafka.TopicPartition: Int64] = [:]
  private var nextLook = ContinuousClock.now
  /// What the cluster had at the last look.
  private var found: [Kafka.TopicPartition] = []
  private var progress = ReadingProgress()
  private var complaints = 0
  private var endComplaints = 0

  /// Records of one transaction: enough that its cost is small for each, few enough that it is over soon.
  private static let batch = 1000
  private static let batchBytes = 8 << 20
  /// How often it looks for topics and partitions that are new, and for the ends of those it reads.
  private static let lookInterval = Duration.seconds(10)
  private static let endInterval = Duration.seconds(1)
  private static let patience = Duration.seconds(1)

  /// - Parameter onReport: takes the records of worker-status.
  init(
    _ kafka: KafkaConfiguration, prefix: String, store: CatalogStore, hub: EventHub, metrics: Metrics, logger: Logger,
    onReport: @escaping @Sendable (ConsumedRecord) async -> Void
  ) throws {
    var configuration = kafka
    for (property, value) in Self.properties where configuration.properties[property] == nil { configuration.properties[property] = value }
    configuration.properties["enable.partition.eof"] = "true"
    configuration.properties["auto.offset.reset"] = "error"
    topics = CatalogTopics(prefix: prefix)
    servers = kafka.bootstrapServers
    self.store = store
    self.hub = hub
    self.metrics = metrics
    self.logger = logger
    self.onReport = onReport
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    (self.wakes, self.wake) = (wakes, wake)
    makeConsumer = { [configuration] in
      try Consumer(
        configuration: configuration, groupID: prefix + "tubeline-catalog", clientID: "tubeline-catalog", logger: logger,
        wake: { wake.yield() })
    }
    consumer = try makeConsumer()
    admin = try Admin(configuration: kafka, clientID: "tubeline-catalog", logger: .silent)
    CatalogMetrics.declareConsuming(in: metrics, topics: topics.labels)
  }

  // The limits of librdkafka are for each partition, and a catalogue reads all of them.
  private static let properties = [
    "isolation.level": "read_committed", "enable.auto.commit": "true", "auto.commit.interval.ms": "5000",
    "queued.max.messages.kbytes": "2048", "queued.min.messages": "2000", "fetch.message.max.bytes": "2097152",
  ]

  /// Reads until the task is cancelled.
  func run() async {
    let looking = Task { await look() }
    for await _ in wakes {
      while await takeAndStore(), !Task.isCancelled {}
      if Task.isCancelled { break }
    }
    looking.cancel()
    await looking.value
    await consumer.close()
    await admin.close()
  }

  /// What it is doing, and how many offsets lie between what is stored and the ends of the logs; nil when the broker does not tell.
  var reading: (state: State, behind: Int?) {
    (progress.state, progress.behind { topics.byName[$0.topic]?.isStored == true })
  }

  // Partitions

  private func look() async {
    while !Task.isCancelled {
      do {
        if nextLook <= .now {
          let before = progress.positions
          try await assignNew(try await admin.describeCluster(timeout: .seconds(5)), before)
          progress.isBrokerAway = false
          complaints = 0
          nextLook = .now + Self.lookInterval
        }
        await lookForEnds()
        try await Task.sleep(for: Self.endInterval)
      } catch is CancellationError {
        return
      } catch {
        complain("The broker or the database does not answer", error)
        progress.isBrokerAway = true
        try? await Task.sleep(for: Self.patience)
      }
    }
  }

  /// By the client that does not fetch: a broker answers one request after the other, and a fetch waits for records.
  private func lookForEnds() async {
    let read = found.filter { progress.positions[$0] != nil }
    guard !read.isEmpty else { return }
    let begin = ContinuousClock.now
    do {
      progress.note(try await admin.watermarks(read, timeout: .seconds(3)), at: begin)
      endComplaints = 0
    } catch {
      progress.noteUnknownEnds(at: .now)
      if !Task.isCancelled { complain("The broker does not tell the ends of all logs", error, &endComplaints) }
    }
  }

  private func assignNew(_ description: ClusterDescription, _ before: [Kafka.TopicPartition: Int64]) async throws {
    let cluster = description.clusterID ?? cluster ?? ""
    if let known = self.cluster, known != cluster {
      try await leave(known, for: cluster)
    } else {
      confirmed = before
    }
    self.cluster = cluster
    found = description.partitions(of: topics.names)
    let new = found.filter { progress.positions[$0] == nil }
    guard !new.isEmpty else { return }
    let stored = try await store.read { reader in
      Dictionary(
        try reader.positions(cluster).map { (Kafka.TopicPartition(topic: $0.topic, partition: $0.partition), $0.next) },
        uniquingKeysWith: { $1 })
    }
    var starts: [Kafka.TopicPartition: StartPosition] = [:]
    for partition in new {
      let next = topics.byName[partition.topic]?.isStored == true ? stored[partition] : nil
      starts[partition] = next.map { .offset($0) } ?? .beginning
      progress.move(partition, to: next ?? 0)
      confirmed[partition] = next ?? 0
    }
    do { try await consumer.assign(starts) } catch {
      for partition in new { progress.move(partition, to: nil) }
      throw error
    }
    logger.info("Reading partitions", ["partitions": .int(new.count), "topics": .int(Set(found.map(\.topic)).count)])
    wake.yield()
  }

  /// A log of another cluster has other offsets, and what was read since the last look may be of either. A client that has met two clusters
  /// is of use with neither.
  private func leave(_ known: String, for other: String) async throws {
    logger.warning(
      "Another cluster answers; reading its topics from what is stored of it",
      ["kafka.bootstrap_servers": .string(servers), "cluster": .string(other), "cluster.before": .string(known)])
    // Nothing is taken without positions, and what was taken is not stored.
    changes += 1
    progress.forgetLogs()
    let spent = consumer
    consumer = try makeConsumer()
    await spent.close()
    let certain = confirmed.filter { topics.byName[$0.key.topic]?.isStored == true }
    try await store.write { writer in
      for (partition, next) in certain { try writer.store(position: next, known, partition.topic, partition.partition) }
    }
  }

  // Records

  /// Returns whether there may be more.
  private func takeAndStore() async -> Bool {
    await note(consumer.poll())
    // From here to the end of the taking nothing else runs.
    let (cluster, changes) = (cluster ?? "", changes)
    var records: [ConsumedRecord] = []
    var bytes = 0
    var hasMore = false
    for partition in progress.positions.keys.shuffled() {
      guard records.count < Self.batch, bytes < Self.batchBytes else {
        hasMore = true
        break
      }
      let taken = consumer.take(from: partition, upTo: min(250, Self.batch - records.count))
      hasMore = hasMore || taken.count >= 250
      bytes += taken.reduce(0) { $0 + ($1.value?.count ?? 0) }
      records += taken
    }
    if !records.isEmpty {
      let (inputs, next) = await read(records)
      await store(inputs, next, cluster, changes)
    }
    // Ends of partitions come up while records are taken, and no wake-up follows.
    await note(consumer.poll())
    return hasMore
  }

  /// Until it is done: there is no reading on without it, which is the back-pressure, too.
  private func store(_ inputs: [CatalogInput], _ next: [Kafka.TopicPartition: Int64], _ cluster: String, _ before: Int) async {
    let kept = next.filter { topics.byName[$0.key.topic]?.isStored == true }
    let begin = ContinuousClock.now
    while !Task.isCancelled, before == changes {
      do {
        let changed = try await store.write { writer in
          for input in inputs { try input.apply(to: &writer, cluster) }
          for (partition, next) in kept { try writer.store(position: next, cluster, partition.topic, partition.partition) }
          return writer.changes
        }
        progress.isStoreAway = false
        complaints = 0
        metrics.observe(CatalogMetrics.transactions, (ContinuousClock.now - begin).seconds)
        if before == changes {
          progress.positions.merge(next) { $1 }
          try? consumer.store(kept)
        }
        await hub.publish(changed)
        return
      } catch {
        complain("Records cannot be stored", error)
        progress.isStoreAway = true
        try? await Task.sleep(for: Self.patience)
      }
    }
  }

  private func note(_ events: [ConsumerEvent]) async {
    // What a client that was left behind reports is about logs of another cluster.
    let before = changes
    for event in events where before == changes {
      switch event {
      case .endOfPartition(let partition, let offset): progress.note(reached: partition, offset)
      case .offsetOutOfRange(let partition, let error): await restart(partition, error)
      case .error(let error):
        complain("Kafka reports an error", error)
        if error.isConnectionTrouble { nextLook = .now }
      case .assigned, .revoked, .lost, .statistics: break
      }
    }
  }

  /// The log is another one than that which was read, or retention has overtaken: what is there is read, and older records change nothing.
  private func restart(_ partition: Kafka.TopicPartition, _ error: KafkaError) async {
    metrics.add(CatalogMetrics.gaps, 1, topics.label(partition.topic))
    logger.warning(
      "The broker has no such offset; reading from the earliest one",
      [
        "partition": .string(partition.description), "offset": .int(Int(progress.positions[partition] ?? 0)),
        "error": .string(error.description),
      ])
    let (consumer, before) = (consumer, changes)
    do {
      let log = try await consumer.watermarks(partition)
      try await consumer.seek(partition, to: log.lowerBound)
      if before == changes { progress.move(partition, to: log.lowerBound) }
    } catch {
      // The next look assigns it anew.
      complain("A partition cannot be read", error)
      guard before == changes else { return }
      try? await consumer.unassign([partition])
      progress.move(partition, to: nil)
    }
  }

  private func complain(_ message: StaticString, _ error: any Error) { complain(message, error, &complaints) }

  private func complain(_ message: StaticString, _ error: any Error, _ complaints: inout Int) {
    if complaints.isMultiple(of: 60) { logger.warning(message, ["kafka.bootstrap_servers": .string(servers), "error": "\(error)"]) }
    complaints += 1
  }
}
