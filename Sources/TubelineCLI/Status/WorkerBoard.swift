import FoundationEssentials
import JSON
import Kafka
import Messages
import Telemetry

/// The workers that have reported lately.
struct WorkerBoard: Sendable {
  /// A worker that has said nothing for so long is gone.
  static let lifetime: TimeInterval = 20

  private var reports: [String: WorkerReport] = [:]

  /// A message of worker-status.
  mutating func note(_ record: ConsumedRecord) {
    let key = String(decoding: record.key ?? [], as: UTF8.self)
    guard let value = record.value else {
      reports[key] = nil
      return
    }
    guard let document = try? JSONDocument.parse(value), let report = try? WorkerReport(json: document.root) else { return }
    reports[key] = report
  }

  /// In the order of their names.
  func alive(at now: Date) -> [WorkerReport] {
    reports.values.filter { report in Timestamp.parse(report.at).map { now.timeIntervalSince($0) < Self.lifetime } ?? false }
      .sorted { $0.key < $1.key }
  }
}

extension WorkerReport {
  /// What a worker is doing, in a word.
  enum Activity: String, Sendable { case stopped, breakerOpen, waitingForQuota, running, idle }

  var activity: Activity {
    if stopped != nil { return .stopped }
    if outage != nil { return .breakerOpen }
    if !waitingForQuota.isEmpty { return .waitingForQuota }
    return running > 0 ? .running : .idle
  }

  /// What a worker is doing, and why.
  var activityText: String {
    switch activity {
    case .stopped: "STOPPED: \(stopped ?? "")"
    case .breakerOpen: "circuit breaker open: \(outage ?? "")"
    case .waitingForQuota:
      waitingForQuota.map { wait in
        let until = wait.until.map { " until \($0.prefix(16))Z" } ?? ""
        return "waits for quota (\(wait.bucket)\(wait.reason.map { ", \($0)" } ?? ""))\(until)"
      }.joined(separator: "; ")
    case .running, .idle: activity.rawValue
    }
  }

  /// As reported, and the word.
  var json: JSONTree {
    guard let tree = try? JSONTree.parse(bytes), case .object(var members) = tree else { return .null }
    members.insert(JSONTree.Member("state", .string(activity.rawValue)), at: min(2, members.count))
    return .object(members)
  }
}
