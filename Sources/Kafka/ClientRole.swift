/// What a client is for: decides on defaults and on the properties that fit.
enum ClientRole: Sendable {
  case consumer(groupID: String, instanceID: String?)
  case producer
  case transactionalProducer(transactionalID: String)
  case admin

  var isConsumer: Bool { if case .consumer = self { true } else { false } }

  /// In force unless the user sets them.
  private var defaults: [String: String] {
    switch self {
    case .consumer:
      [
        "enable.auto.commit": "false", "auto.offset.reset": "error", "partition.assignment.strategy": "cooperative-sticky",
        "enable.partition.eof": "false", "isolation.level": "read_committed",
        // As long as this a member waits for the answer to its joining, which a coordinator that fails then never gives; the library's own
        // five minutes are for consumers that work between two polls.
        "max.poll.interval.ms": "60000",
        // One fetch per broker is under way at a time, so a partition that has just been drained waits for it.
        "fetch.wait.max.ms": "100",
        // With a queue per partition, librdkafka applies both limits to each partition, and looks up to a second later whether a full
        // queue has room again: these are also what a partition delivers in that time.
        "queued.min.messages": "10000", "queued.max.messages.kbytes": "8192", "socket.nagle.disable": "true",
      ]
    case .producer, .transactionalProducer:
      [
        // Level 1: a tenth larger than the default level, for a fraction of its time.
        "enable.idempotence": "true", "compression.type": "zstd", "compression.level": "1", "linger.ms": "5",
        "message.max.bytes": "2000000",
        "queue.buffering.max.messages": "100000", "queue.buffering.max.kbytes": "65536", "socket.nagle.disable": "true",
      ]
    case .admin: ["socket.nagle.disable": "true"]
    }
  }

  /// In force whatever the user sets: this room's bookkeeping depends on them.
  private var fixed: [String: String] {
    switch self {
    case .consumer(let groupID, let instanceID):
      ["group.id": groupID, "enable.auto.offset.store": "false", "log.queue": "false"]
        .merging(instanceID.map { ["group.instance.id": $0] } ?? [:]) { $1 }
    case .producer: ["delivery.report.only.error": "false", "log.queue": "false"]
    case .transactionalProducer(let transactionalID):
      ["delivery.report.only.error": "false", "log.queue": "false", "transactional.id": transactionalID, "enable.idempotence": "true"]
    case .admin: ["log.queue": "false"]
    }
  }

  /// The user's properties that fit this role, completed.
  func properties(_ configuration: KafkaConfiguration, clientID: String) -> [String: String] {
    let side: PropertyTable.Side = isConsumer ? .consumer : .producer
    let fitting = configuration.properties.filter { PropertyTable.shared.applies($0.key, to: side) && !isForeign($0.key) }
    var merged = defaults
    if case .transactionalProducer = self { merged["transaction.timeout.ms"] = "10000" }
    merged["client.id"] = clientID
    for (name, value) in fitting {
      merged = merged.filter { !PropertyTable.shared.isSame($0.key, name) }
      merged[name] = value
    }
    if case .transactionalProducer = self { merged.merge(Self.limits(within: merged)) { own, _ in own } }
    // The library refuses a session that is longer.
    if isConsumer, fitting["max.poll.interval.ms"] == nil, let session = merged["session.timeout.ms"].flatMap({ Int($0) }), session > 60_000
    {
      merged["max.poll.interval.ms"] = String(session)
    }
    return merged.merging(fixed) { $1 }
  }

  /// What does not get through must fail while the transaction can still be aborted: after its timeout the broker fences the producer.
  private static func limits(within properties: [String: String]) -> [String: String] {
    guard let timeout = properties["transaction.timeout.ms"].flatMap({ Int($0) }), timeout >= 1000 else { return [:] }
    let limits = ["message.timeout.ms": String(timeout / 3 * 2), "socket.timeout.ms": String(timeout / 2)]
    return limits.filter { limit in !properties.keys.contains { PropertyTable.shared.isSame($0, limit.key) } }
  }

  // An id that is meant for one client only must not spread to the others.
  private func isForeign(_ property: String) -> Bool {
    switch self {
    case .transactionalProducer, .consumer: false
    case .producer, .admin: property == "transactional.id" || property == "transaction.timeout.ms"
    }
  }
}
