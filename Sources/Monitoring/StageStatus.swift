public import Messages

/// One stage's group, its backlog and its workers.
public struct StageStatus: Sendable {
  public let stage: StageName
  public let group: String
  /// As the group has them; where the broker does not tell, the workers that report.
  public let members: Int
  /// Of all topics that the stage consumes.
  public let partitions: Int
  public let assigned: Int
  /// `nil` when it could not be counted.
  public let backlog: Backlog?
  public let workers: [WorkerReport]
}
