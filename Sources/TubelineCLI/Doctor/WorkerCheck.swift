import FoundationEssentials
import Kafka
import Messages
import Monitoring
import Stages
import WorkerApp

/// Whether somebody works for every stage for which messages wait.
struct WorkerCheck: Sendable {
  let configuration: AppConfiguration

  /// - Parameter groups: the members as the brokers tell them; `nil` where they do not, and workers' own reports have to.
  func finding(_ admin: Admin, _ cluster: ClusterDescription, groups: [GroupDescription]?) async -> Finding {
    do {
      let prefix = configuration.topicPrefix
      let reports = groups == nil ? try await Self.reports(configuration.kafka, prefix: prefix) : []
      var problems: [String] = []
      let stages = try await StageObserver(kafka: configuration.kafka, prefix: prefix, admin: admin, asksGroups: false)
        .stages(of: cluster, workers: reports, problems: &problems)
      if let problem = problems.first { return .unknown("workers", problem) }
      let members = groups.map { Dictionary($0.map { ($0.groupID, $0.members.count) }) { $1 } }
      return Self.finding(
        stages.map { stage in (stage.stage, members.map { $0[stage.group] ?? 0 } ?? stage.members, Self.waiting(stage.backlog)) })
    } catch {
      return .unknown("workers", "\(error)")
    }
  }

  static func finding(_ stages: [(name: StageName, members: Int, waiting: Int)]) -> Finding {
    let idle = stages.filter { $0.members == 0 && $0.waiting > 0 }
    guard idle.isEmpty else {
      let what = idle.map { stage in
        "\(stage.name.rawValue) (\(Spans.count(stage.waiting)) \(stage.waiting == 1 ? "message waits" : "messages wait"))"
      }
      return .problem(
        "workers", "nobody works for \(what.joined(separator: ", "))",
        mend: "start \(idle.map { "tubeline-\($0.name.rawValue)" }.joined(separator: ", "))")
    }
    guard stages.contains(where: { $0.members > 0 }) else { return .unknown("workers", "none run, and nothing waits for them") }
    return .ok("workers", stages.map { "\($0.name.rawValue) \($0.members)" }.joined(separator: ", "))
  }

  /// Messages that a worker would take now.
  static func waiting(_ backlog: Backlog?) -> Int {
    guard let backlog else { return 0 }
    return backlog.lag.records + max(0, backlog.retries.records - backlog.retriesNotDue)
  }

  /// The workers that have reported lately.
  static func reports(_ kafka: KafkaConfiguration, prefix: String) async throws -> [WorkerReport] {
    let follower = try StatusFollower(kafka, prefix: prefix, signal: Signal())
    let reports: Result<[WorkerReport], any Error>
    do {
      try await kafka.withAdmin { try await follower.open($0, [WorkerReport.topic]) }
      reports = .success(await follower.workers.alive(at: Date()))
    } catch { reports = .failure(error) }
    await follower.close()
    return try reports.get()
  }
}
