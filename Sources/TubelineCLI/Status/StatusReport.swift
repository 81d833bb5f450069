import FoundationEssentials
import JSON
import Monitoring
import Quota
import Telemetry

/// An installation at one moment.
struct StatusReport: Sendable {
  let at: Date
  /// Those asked for, newest first.
  let requests: [RequestStatus]
  /// Requests that were left out by the limit.
  let omitted: Int
  /// Whether those that have ended are left out.
  var isActiveOnly = false
  /// Ids that were asked for and that nobody knows.
  let unknown: [String]
  let stages: [StageStatus]
  /// `nil` when the ledger did not answer.
  let quota: [BucketStatus]?
  /// What could not be found out, in sentences.
  let problems: [String]

  var json: JSONTree {
    var members: [JSONTree.Member] = [
      .init("at", .string(Timestamp.rfc3339(at))), .init("requests", .array(requests.map(\.json))),
    ]
    if !unknown.isEmpty { members.append(.init("unknown", .array(unknown.map { .string($0) }))) }
    members.append(.init("stages", .array(stages.map(\.json))))
    if let quota { members.append(.init("quota", .array(quota.map(QuotaShowCommand.json)))) }
    if !problems.isEmpty { members.append(.init("problems", .array(problems.map { .string($0) }))) }
    return .object(members)
  }
}
