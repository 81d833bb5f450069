import Kafka
import Messages
import Stages

/// How many messages wait for each stage: what a harvest says when nothing moves.
enum StageLag {
  static func sentence(_ kafka: KafkaConfiguration, prefix: String) async -> String {
    guard let admin = try? Admin(configuration: kafka, clientID: "tubeline-cli", logger: .silent) else { return "the broker is unknown" }
    var parts: [String] = []
    for row in HarvestOptions.stages.compactMap(StageOrder.row) {
      let waiting = try? await waiting(for: row, admin, prefix)
      parts.append("\(row.stage.rawValue) \(waiting.map(Spans.count) ?? "unknown")")
    }
    await admin.close()
    return "messages waiting for the stages: " + parts.joined(separator: ", ")
  }

  private static func waiting(for row: StageOrder.Row, _ admin: Admin, _ prefix: String) async throws -> Int {
    let cluster = try await admin.describeCluster()
    let partitions = cluster.partitions(of: row.inputs.map { prefix + $0.name })
    let committed = try await admin.committed(groupID: prefix + row.stage.group, partitions)
    var sum = 0
    for partition in partitions {
      let log = try await admin.watermarks(partition)
      sum += Int(max(0, log.upperBound - max(committed[partition] ?? 0, log.lowerBound)))
    }
    return sum
  }
}
