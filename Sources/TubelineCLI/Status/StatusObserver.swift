import FoundationEssentials
import Kafka
import Messages
import Quota
import Stages
import WorkerApp

/// Finds out how an installation is, again and again.
struct StatusObserver {
  /// Which requests are shown.
  struct Selection: Sendable {
    /// Empty is all.
    var ids: [String] = []
    var activeOnly = false
    var limit = Int.max
  }

  let configuration: AppConfiguration
  let admin: Admin
  let follower: StatusFollower

  private var prefix: String { configuration.topicPrefix }

  /// Reads what is there. Returns what is missing.
  func open() async throws -> [String] {
    let cluster = try await describe()
    let reports = WorkerReport.topic
    let hasReports = cluster.topic(prefix + reports.name)?.partitions.isEmpty == false
    try await follower.open(admin, [ChannelRequest.topic, SearchRequest.topic, RequestEvent.topic] + (hasReports ? [reports] : []))
    return hasReports
      ? [] : ["There is no topic \(prefix)\(reports.name), so workers cannot report. Create it with: tubeline topics create"]
  }

  func observe(_ selection: Selection, _ known: [String]) async throws -> StatusReport {
    try await follower.catchUp()
    let board = await follower.requests
    let wanted =
      selection.ids.isEmpty ? board.newest(activeOnly: selection.activeOnly) : selection.ids.compactMap { board[$0] }
    var problems = known
    let stages = try await stages(&problems)
    var quota: [BucketStatus]?
    do { quota = try await Ledger.use(configuration) { try await $0.status(configuration.quotaPolicy) } } catch {
      problems.append("The quota ledger does not answer: \(error)")
    }
    return StatusReport(
      at: Date(), requests: Array(wanted.prefix(selection.limit)), omitted: max(0, wanted.count - selection.limit),
      unknown: selection.ids.filter { board[$0] == nil }, stages: stages, quota: quota, problems: problems)
  }

  private func stages(_ problems: inout [String]) async throws -> [StageStatus] {
    let cluster = try await describe()
    let groups = await groups(cluster, &problems)
    var backlogs: [StageName: Backlog] = [:]
    do {
      backlogs = try await BacklogReader(kafka: configuration.kafka, prefix: prefix, admin: admin).read(cluster)
    } catch let error where !(error is CancellationError) { problems.append("What waits for the stages is unknown: \(error)") }
    let workers = await follower.workers.alive(at: Date())
    return StageOrder.rows.map { row in
      let own = workers.filter { $0.stage == row.stage }
      let topics = row.inputs + (row.retriesInPlace ? [] : [.retry(row.stage)])
      let members = groups[prefix + row.stage.group]
      return StageStatus(
        stage: row.stage, group: prefix + row.stage.group, members: members?.count ?? own.count,
        partitions: topics.reduce(0) { $0 + (cluster.topic(prefix + $1.name)?.partitions.count ?? 0) },
        assigned: members.map { $0.reduce(0) { $0 + $1.partitions.count } } ?? own.reduce(0) { $0 + $1.partitions },
        backlog: backlogs[row.stage], workers: own)
    }
  }

  // The embedded broker does not tell, and waiting for its answer takes until the timeout.
  private func groups(_ cluster: ClusterDescription, _ problems: inout [String]) async -> [String: [GroupDescription.Member]] {
    guard !EmbeddedBroker.isServing(cluster) else { return [:] }
    do {
      let names = StageOrder.rows.map { prefix + $0.stage.group }
      let groups = try await admin.describeGroups(names, timeout: .seconds(5))
      return Dictionary(groups.map { ($0.groupID, $0.members) }) { $1 }
    } catch {
      problems.append("The broker does not tell the members of the groups: \(error)")
      return [:]
    }
  }

  private func describe() async throws -> ClusterDescription {
    try await admin.cluster(at: configuration.kafka.bootstrapServers)
  }
}
