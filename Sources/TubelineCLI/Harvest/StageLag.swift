import Kafka
import Messages
import Monitoring
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
    return try await admin.uncommitted(groupID: prefix + row.stage.group, partitions).values.reduce(0) { $0 + $1.count }
  }
}
