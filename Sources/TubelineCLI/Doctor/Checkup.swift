import Kafka
import Monitoring
import WorkerApp

/// The checks that cost nothing.
struct Checkup: Sendable {
  let configuration: AppConfiguration

  func cluster() async -> [Finding] {
    let servers = configuration.kafka.bootstrapServers
    do {
      let complaints = Complaints()
      let admin = try Admin(configuration: configuration.kafka, clientID: "tubeline-cli", logger: complaints.logger)
      let findings: [Finding]
      do { findings = try await cluster(admin, servers) } catch {
        findings = [
          .problem(
            "broker",
            "\((error as? KafkaError).map { BrokerFailure.error($0, servers) } ?? error)\(complaints.last.map { " librdkafka says: \($0)" } ?? "")",
            mend: "start the cluster, or set KAFKA_BOOTSTRAP_SERVERS; for a try, run: tubeline broker")
        ]
      }
      await admin.close()
      return findings
    } catch {
      return [.problem("broker", "\(error)", mend: "correct the KAFKA_… setting that is named")]
    }
  }

  private func cluster(_ admin: Admin, _ servers: String) async throws -> [Finding] {
    let cluster = try await admin.describeCluster(timeout: .seconds(5))
    let topics = try await TopicInspection.read(admin, configuration)
    let isEmbedded = cluster.isMockCluster
    // The embedded broker answers no question about groups, and is one host by its nature.
    let groups = isEmbedded ? nil : await DeploymentCheck.groups(admin, prefix: configuration.topicPrefix)
    let workers =
      topics.allSatisfy(\.exists)
      ? [await WorkerCheck(configuration: configuration).finding(admin, cluster, groups: groups)] : []
    return [Self.broker(cluster, servers)] + Self.topics(topics) + workers + DeploymentCheck.policies(topics)
      + DeploymentCheck.replication(topics, brokers: cluster.brokers.count, isEmbedded: isEmbedded)
      + [
        DeploymentCheck.guarantee(configuration.guarantee, isEmbedded: isEmbedded),
        DeploymentCheck.ledger(configuration.quotaStore, hosts: DeploymentCheck.hosts(groups ?? [])),
      ]
  }

  static func broker(_ cluster: ClusterDescription, _ servers: String) -> Finding {
    let count = cluster.brokers.count
    var detail = "\(servers): \(count) \(count == 1 ? "broker" : "brokers")"
    // The embedded broker names a controller that it does not have.
    if let controller = cluster.brokers.first(where: { $0.id == cluster.controllerID }) {
      detail += ", controller \(controller.id) (\(controller.host):\(controller.port))"
    }
    detail += ", cluster \(cluster.clusterID ?? "without id")"
    if cluster.isMockCluster { detail += ", the embedded broker (nothing is kept)" }
    return .ok("broker", detail)
  }

  static func topics(_ topics: [TopicInspection]) -> [Finding] {
    let missing = topics.filter { !$0.exists }.map(\.name)
    let tooLong = topics.filter(\.keepsTooLong).map { "\($0.name) (\($0.retentionText))" }
    let unknown = topics.filter { $0.exists && $0.retention == nil }
    var findings: [Finding] = []
    if missing.isEmpty {
      findings.append(.ok("topics", "all \(topics.count) exist"))
    } else {
      findings.append(
        .problem(
          "topics", "missing: \(missing.joined(separator: ", "))",
          mend: "tubeline topics create; a topic that this user may not describe looks missing, too"))
    }
    if missing.count < topics.count { findings.append(partitions(topics.filter(\.exists))) }
    if !tooLong.isEmpty {
      findings.append(
        .problem(
          "retention", "longer than the 30 days that YouTube's terms allow: \(tooLong.joined(separator: ", "))",
          mend: "set retention.ms of these topics to 2505600000 (29 days) or less"))
    } else if unknown.count < topics.count - missing.count {
      findings.append(.ok("retention", "none longer than 30 days"))
    } else if missing.count < topics.count {
      findings.append(.unknown("retention", "this broker does not tell"))
    }
    return findings
  }

  /// Topics may differ in this without harm; it bounds the workers of the stage that reads them.
  private static func partitions(_ topics: [TopicInspection]) -> Finding {
    let groups = Dictionary(grouping: topics, by: \.partitions).sorted { ($0.value.count, $0.key) > ($1.value.count, $1.key) }
    guard let common = groups.first, groups.count > 1 else { return .ok("partitions", "\(topics.first?.partitions ?? 0) in each topic") }
    let others = groups.dropFirst().map { "\($0.key) in \($0.value.map(\.name).joined(separator: ", "))" }
    return .ok(
      "partitions",
      "not the same: \(common.key) in \(common.value.count) topics, \(others.joined(separator: "; ")); a stage can use as many workers as "
        + "its topic with the most has")
  }
}
