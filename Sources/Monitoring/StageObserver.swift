public import Kafka
public import Messages
import Stages

/// Finds out what waits for the stages, and who works for them.
public struct StageObserver: Sendable {
  private let kafka: KafkaConfiguration
  private let prefix: String
  private let admin: Admin
  private let asksGroups: Bool

  /// - Parameter asksGroups: whether the brokers are asked who the members are; otherwise the workers' own reports tell (see
  ///   `Admin.describeGroups`).
  public init(kafka: KafkaConfiguration, prefix: String, admin: Admin, asksGroups: Bool) {
    self.asksGroups = asksGroups
    self.kafka = kafka
    self.prefix = prefix
    self.admin = admin
  }

  /// - Parameters:
  ///   - workers: those that have reported lately.
  ///   - problems: gets what could not be found out, in sentences.
  public func stages(
    of cluster: ClusterDescription, workers: [WorkerReport], problems: inout [String]
  ) async throws -> [StageStatus] {
    let groups = await groups(cluster, &problems)
    var backlogs: [StageName: Backlog] = [:]
    do {
      backlogs = try await BacklogReader(kafka: kafka, prefix: prefix, admin: admin).read(cluster)
    } catch let error where !(error is CancellationError) { problems.append("What waits for the stages is unknown: \(error)") }
    return StageOrder.rows.map { row in
      let own = workers.filter { $0.stage == row.stage }
      let topics = row.inputs + (row.retriesInPlace ? [] : [.retry(row.stage)])
      let members = groups[prefix + row.stage.group]
      let partitions = topics.reduce(0) { $0 + (cluster.topic(prefix + $1.name)?.partitions.count ?? 0) }
      let assigned = members.map { $0.reduce(0) { $0 + $1.partitions.count } } ?? own.reduce(0) { $0.addingClamped($1.partitions) }
      return StageStatus(
        stage: row.stage, group: prefix + row.stage.group, members: members?.count ?? own.count,
        // Workers of an older version do not tell which partitions they have, so one that was killed counts beside its successor.
        partitions: partitions, assigned: min(assigned, partitions), backlog: backlogs[row.stage], workers: own)
    }
  }

  // The embedded broker does not tell, and waiting for its answer takes until the timeout.
  private func groups(_ cluster: ClusterDescription, _ problems: inout [String]) async -> [String: [GroupDescription.Member]] {
    guard asksGroups, !cluster.isMockCluster else { return [:] }
    do {
      let names = StageOrder.rows.map { prefix + $0.stage.group }
      let groups = try await admin.describeGroups(names, timeout: .seconds(5))
      return Dictionary(groups.map { ($0.groupID, $0.members) }) { $1 }
    } catch {
      problems.append("The broker does not tell the members of the groups: \(error)")
      return [:]
    }
  }
}

extension ClusterDescription {
  /// Whether this is librdkafka's mock cluster: it answers no admin requests, and waiting for its controller takes until the timeout.
  public var isMockCluster: Bool { clusterID?.hasPrefix("mockCluster") == true }
}
