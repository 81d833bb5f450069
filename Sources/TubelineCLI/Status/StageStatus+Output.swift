import JSON
import Messages
import Monitoring

extension StageStatus {
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
