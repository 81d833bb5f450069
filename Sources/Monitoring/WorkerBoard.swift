public import FoundationEssentials
import JSON
public import Kafka
public import Messages
import Telemetry

/// The workers that have reported lately.
public struct WorkerBoard: Sendable {
  /// A worker that has said nothing for so long is gone.
  public static let lifetime: TimeInterval = 20

  private var reports: [String: WorkerReport] = [:]

  public init() {}

  /// A message of worker-status.
  public mutating func note(_ record: ConsumedRecord) {
    let key = String(decoding: record.key ?? [], as: UTF8.self)
    guard let value = record.value else {
      reports[key] = nil
      return
    }
    guard let document = try? JSONDocument.parse(value), let report = try? WorkerReport(json: document.root) else { return }
    reports[key] = report
  }

  /// In the order of their names.
  ///
  /// A partition is counted for the worker that named it last: one that was killed, or that hangs, has what it had in its last report, and
  /// others may have it by now.
  public func alive(at now: Date) -> [WorkerReport] {
    var alive: [(report: WorkerReport, time: Date)] = []
    for report in reports.values {
      guard let time = Timestamp.parse(report.at), now.timeIntervalSince(time) < Self.lifetime else { continue }
      alive.append((report, time))
    }
    alive.sort { ($0.time, $0.report.key) > ($1.time, $1.report.key) }
    var taken: [StageName: [String: Set<Int>]] = [:]
    return alive.map { Self.owned($0.report, besides: &taken[$0.report.stage, default: [:]]) }.sorted { $0.key < $1.key }
  }

  /// The report with those of its partitions that are not taken, which are so from now on.
  private static func owned(_ report: WorkerReport, besides taken: inout [String: Set<Int>]) -> WorkerReport {
    guard !report.assignment.isEmpty else { return report }
    var report = report
    for (topic, numbers) in report.assignment {
      report.assignment[topic] = numbers.filter { taken[topic, default: []].insert($0).inserted }
    }
    report.assignment = report.assignment.filter { !$0.value.isEmpty }
    report.partitions = report.assignment.values.reduce(0) { $0 + $1.count }
    return report
  }
}

extension WorkerReport {
  /// What a worker is doing, in a word.
  public enum Activity: String, Sendable { case stopped, breakerOpen, waitingForQuota, running, idle }

  public var activity: Activity {
    if stopped != nil { return .stopped }
    if outage != nil { return .breakerOpen }
    if !waitingForQuota.isEmpty { return .waitingForQuota }
    return running > 0 || recent > 0 ? .running : .idle
  }

  /// What a worker is doing, and why.
  public var activityText: String {
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
}
