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
  public func alive(at now: Date) -> [WorkerReport] {
    reports.values.filter { report in Timestamp.parse(report.at).map { now.timeIntervalSince($0) < Self.lifetime } ?? false }
      .sorted { $0.key < $1.key }
  }
}

extension WorkerReport {
  /// What a worker is doing, in a word.
  public enum Activity: String, Sendable { case stopped, breakerOpen, waitingForQuota, running, idle }

  public var activity: Activity {
    if stopped != nil { return .stopped }
    if outage != nil { return .breakerOpen }
    if !waitingForQuota.isEmpty { return .waitingForQuota }
    return running > 0 ? .running : .idle
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
