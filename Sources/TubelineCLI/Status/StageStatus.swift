import JSON
import Messages

/// One stage's group, its backlog and its workers.
struct StageStatus: Sendable {
  let stage: StageName
  let group: String
  /// As the group has them; where the broker does not tell, the workers that report.
  let members: Int
  /// Of all topics that the stage consumes.
  let partitions: Int
  let assigned: Int
  /// `nil` when it could not be counted.
  let backlog: Backlog?
  let workers: [WorkerReport]

  var json: JSONTree {
    var members: [JSONTree.Member] = [
      .init("stage", .string(stage.rawValue)), .init("group", .string(group)), .init("members", .int(self.members)),
      .init("partitions", .int(partitions)), .init("assigned", .int(assigned)),
    ]
    if let backlog {
      members += backlog.lag.json("lag") + backlog.retries.json("retries")
      members.append(.init("retriesNotDue", .int(backlog.retriesNotDue)))
      members += backlog.deadLetters.json("deadLetters")
    }
    members.append(.init("workers", .array(workers.map(\.json))))
    return .object(members)
  }
}
