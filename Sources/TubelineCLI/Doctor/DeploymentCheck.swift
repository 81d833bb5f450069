import FoundationEssentials
import Kafka
import Messages
import Stages
import Telemetry
import WorkerApp

/// Whether cluster, ledger and workers fit each other.
enum DeploymentCheck {
  /// `cleanup.policy` as `tubeline topics create` sets it: a topic of requests that is compacted loses requests with the same key.
  static func policies(_ topics: [TopicInspection]) -> [Finding] {
    let told = topics.filter { $0.cleanup != nil }
    guard !told.isEmpty else { return [] }
    let wrong = told.compactMap { topic -> String? in
      guard let plan = topic.plan, let cleanup = topic.cleanup else { return nil }
      let wanted = Set((plan.configuration["cleanup.policy"] ?? "").split(separator: ","))
      return Set(cleanup.split(separator: ",")) == wanted
        ? nil : "\(topic.name) is \(cleanup) and not \(wanted.sorted().joined(separator: ","))"
    }
    guard !wrong.isEmpty else { return [.ok("policies", "as tubeline topics create sets them")] }
    return [
      .problem(
        "policies", wrong.joined(separator: "; "),
        mend:
          "set cleanup.policy of these topics (kafka-configs.sh --alter --entity-type topics --add-config cleanup.policy=[compact,delete])")
    ]
  }

  /// What becomes of the data, and of the work, when a broker fails.
  static func replication(_ topics: [TopicInspection], brokers: Int, isEmbedded: Bool) -> [Finding] {
    let copies = topics.compactMap { topic in topic.replicas.map { (topic, $0) } }
    guard !isEmbedded, !copies.isEmpty else { return [] }
    let stuck = copies.filter { topic, replicas in topic.minInSync.map { $0 > replicas } ?? false }.map(\.0.name)
    if !stuck.isEmpty {
      return [
        .problem(
          "replication",
          "min.insync.replicas is larger than the number of copies, so nothing can be written: \(stuck.joined(separator: ", "))",
          mend: "lower min.insync.replicas of these topics, or give them more copies")
      ]
    }
    let fragile = copies.filter { topic, replicas in replicas > 1 && topic.minInSync.map { $0 >= replicas } ?? false }.map(\.0.name)
    if !fragile.isEmpty {
      return [
        .problem(
          "replication", "all copies must be there to write, so work stops with any one broker: \(fragile.joined(separator: ", "))",
          mend: "set min.insync.replicas to one less than the number of copies")
      ]
    }
    let single = copies.filter { $0.1 < min(3, brokers) }.map { "\($0.0.name) (\($0.1))" }
    guard single.isEmpty else {
      return [
        .problem(
          "replication", "fewer copies than \(min(3, brokers)), although there are \(brokers) brokers: \(single.joined(separator: ", "))",
          mend: "reassign their partitions to more brokers (kafka-reassign-partitions.sh), or create them anew with --replication 3")
      ]
    }
    let least = copies.map(\.1).min() ?? 1
    return [.ok("replication", least == 1 ? "1 copy: what the broker loses is lost" : "\(least) copies or more")]
  }

  static func guarantee(_ guarantee: AppConfiguration.Guarantee, isEmbedded: Bool) -> Finding {
    guard isEmbedded, guarantee == .exactlyOnce else {
      return .ok("guarantee", "\(guarantee.rawValue); the workers' setting has to be the same")
    }
    return .problem(
      "guarantee", "exactly-once, and the embedded broker keeps no offsets of transactions",
      mend: "set WORKER_GUARANTEE=at-least-once for the workers (docs/guarantees.md says what it means)")
  }

  /// A file can be shared by the processes of one host only. Two hosts with a file each spend the quota twice.
  static func ledger(_ address: String, hosts: Set<String>) -> Finding {
    let isFile = address.hasPrefix("sqlite:")
    let names = hosts.sorted().joined(separator: ", ")
    guard isFile, hosts.count > 1 else {
      return .ok("ledger", isFile ? "a file, and workers on no more than one host" : "one that hosts can share")
    }
    return .problem(
      "ledger", "a file, but workers run on \(hosts.count) hosts (\(names)): each host counts for itself, and the quota is overspent",
      mend: "set QUOTA_STORE=redis://… for all of them; docs/operations.md says how to take the count over")
  }

  /// The stages' groups; `nil` when nobody may ask.
  static func groups(_ admin: Admin, prefix: String) async -> [GroupDescription]? {
    try? await admin.describeGroups(StageOrder.rows.map { prefix + $0.stage.group }, timeout: .seconds(5))
  }

  /// Where the members of groups are; empty when nobody works.
  static func hosts(_ groups: [GroupDescription]) -> Set<String> {
    Set(groups.flatMap(\.members).map { host in host.host.hasPrefix("/") ? String(host.host.dropFirst()) : host.host })
  }
}
