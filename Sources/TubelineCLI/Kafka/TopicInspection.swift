import JSON
import Kafka
import Messages
import Monitoring
import Telemetry
import WorkerApp

/// One topic of the installation as the cluster has it.
struct TopicInspection: Sendable, Equatable {
  let name: String
  let exists: Bool
  var partitions = 0
  /// Copies of the partition that has the fewest.
  var replicas: Int?
  /// `cleanup.policy`; nil when the broker does not tell.
  var cleanup: String?
  /// Milliseconds; -1 is for ever.
  var retention: Int?
  /// `min.insync.replicas`; nil when the broker does not tell.
  var minInSync: Int?
  /// How it should be.
  var plan: TopicPlan?

  var retentionText: String {
    guard let retention else { return "unknown" }
    return retention < 0 ? "for ever" : Spans.short(.milliseconds(retention))
  }

  /// Records fetched with an API key may not be kept for more than 30 days (Developer Policies III.E.4.d).
  var keepsTooLong: Bool { retention.map { $0 < 0 || $0 > 30 * 86_400_000 } ?? false }

  var json: JSONTree {
    var members: [JSONTree.Member] = [.init("topic", .string(name)), .init("exists", .bool(exists))]
    if exists { members.append(.init("partitions", .int(partitions))) }
    if let replicas { members.append(.init("replicas", .int(replicas))) }
    if let cleanup { members.append(.init("cleanupPolicy", .string(cleanup))) }
    if let retention { members.append(.init("retentionMs", .int(retention))) }
    return .object(members)
  }

  /// Every topic of the installation, in the order of `Topic.all`.
  static func read(_ configuration: AppConfiguration) async throws -> [TopicInspection] {
    try await configuration.kafka.withAdmin { try await read($0, configuration) }
  }

  static func read(_ admin: Admin, _ configuration: AppConfiguration) async throws -> [TopicInspection] {
    let cluster = try await admin.cluster(at: configuration.kafka.bootstrapServers)
    let names = Topic.all.map { configuration.topicPrefix + $0.topic.name }
    let existing = names.filter { cluster.topic($0) != nil }
    // Some brokers do not answer this to everybody: then nothing is known about configurations.
    let settings = cluster.isMockCluster ? [:] : (try? await admin.topicConfigurations(existing)) ?? [:]
    return names.map { name in
      guard let topic = cluster.topic(name) else { return TopicInspection(name: name, exists: false) }
      var state = TopicInspection(name: name, exists: true, partitions: topic.partitions.count)
      state.plan = Topic.all.first { configuration.topicPrefix + $0.topic.name == name }
      state.minInSync = settings[name]?.first { $0.name == "min.insync.replicas" }?.value.flatMap { Int($0) }
      state.replicas = topic.partitions.map(\.replicas.count).min()
      state.cleanup = settings[name]?.first { $0.name == "cleanup.policy" }?.value
      state.retention = settings[name]?.first { $0.name == "retention.ms" }?.value.flatMap { Int($0) }
      return state
    }
  }
}
