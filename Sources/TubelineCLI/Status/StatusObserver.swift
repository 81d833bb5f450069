import FoundationEssentials
import Kafka
import Messages
import Monitoring
import Quota
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
    let cluster = try await admin.cluster(at: configuration.kafka.bootstrapServers)
    let reports = WorkerReport.topic
    let isThere = { (topic: Topic) in cluster.topic(prefix + topic.name)?.partitions.isEmpty == false }
    let hasReports = isThere(reports)
    try await follower.open(
      admin, [ChannelRequest.topic, SearchRequest.topic, RequestEvent.topic] + [RequestControl.topic, reports].filter(isThere))
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
    do { quota = try await Ledger.use(configuration) { try await $0.status(configuration.quotaPolicy) } } catch let error as SettingError {
      throw error
    } catch {
      problems.append("The quota ledger does not answer: \(error)")
    }
    return StatusReport(
      at: Date(), requests: Array(wanted.prefix(selection.limit)), omitted: max(0, wanted.count - selection.limit),
      isActiveOnly: selection.activeOnly && selection.ids.isEmpty,
      unknown: selection.ids.filter { board[$0] == nil }, stages: stages, quota: quota, problems: problems)
  }

  private func stages(_ problems: inout [String]) async throws -> [StageStatus] {
    try await StageObserver(kafka: configuration.kafka, prefix: prefix, admin: admin, asksGroups: true).stages(
      of: try await describe(), workers: await follower.workers.alive(at: Date()), problems: &problems)
  }

  // Without a notice, which would tear the live view.
  private func describe() async throws -> ClusterDescription {
    try await admin.cluster(at: configuration.kafka.bootstrapServers, messages: nil)
  }
}
