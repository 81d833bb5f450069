public import JSON

/// What one worker is doing (topic worker-status). The last one for a worker counts; a null value says that it ended in good order.
public struct WorkerReport: Payload, Equatable {
  public static let topic = Topic.workerStatus
  public static let kind: StaticString = "worker-report"

  /// Calls of a bucket that wait for units.
  public struct QuotaWait: Sendable, Equatable {
    public var bucket: String
    public var calls: Int
    /// Such as `usedUp`; absent while nobody knows.
    public var reason: String?
    /// RFC 3339; absent when nobody knows.
    public var until: String?

    public init(bucket: String, calls: Int, reason: String? = nil, until: String? = nil) {
      self.bucket = bucket
      self.calls = calls
      self.reason = reason
      self.until = until
    }
  }

  /// Messages since the worker's start.
  public struct Totals: Sendable, Equatable {
    public var consumed = 0
    public var produced = 0
    public var retried = 0
    public var deadLettered = 0
    public var repeated = 0

    public init() {}
  }

  public var stage: StageName
  /// WORKER_ID, or a name that the process gave itself.
  public var worker: String
  public var host: String?
  public var pid: Int?
  public var version: String?
  /// RFC 3339, as is `startedAt`.
  public var at: String
  public var startedAt: String?
  public var partitions = 0
  /// Which these are, by topic; empty in reports of workers that do not tell.
  public var assignment: [String: [Int]] = [:]
  public var running = 0
  /// Messages taken since the report before: what is handled fast is rarely running at the moment of a report. 0 where older workers report.
  public var recent = 0
  public var held = 0
  public var delayed = 0
  /// What must be mended before the stage goes on.
  public var stopped: String?
  /// Why the circuit breaker is open.
  public var outage: String?
  public var waitingForQuota: [QuotaWait] = []
  public var totals = Totals()

  public static func key(_ stage: StageName, _ worker: String) -> String { "\(stage.rawValue)/\(worker)" }

  public var key: String { Self.key(stage, worker) }
  public var place: String { "\(at)/report" }

  public init(stage: StageName, worker: String, at: String) {
    self.stage = stage
    self.worker = worker
    self.at = at
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("stage", stage.rawValue)
      writer.member("worker", worker)
      writer.member("host", host)
      writer.member("pid", pid)
      writer.member("version", version)
      writer.member("at", at)
      writer.member("startedAt", startedAt)
      writer.member("partitions", partitions)
      if !assignment.isEmpty { writer.member("assignment", object: { writer in writeAssignment(to: &writer) }) }
      writer.member("running", running)
      writer.member("recent", recent)
      writer.member("held", held)
      writer.member("delayed", delayed)
      writer.member("stopped", stopped)
      writer.member("outage", outage)
      writer.member(
        "waitingForQuota",
        object: { writer in
          for wait in waitingForQuota {
            writer.key(named: wait.bucket)
            writer.object { writer in
              writer.member("calls", wait.calls)
              writer.member("reason", wait.reason)
              writer.member("until", wait.until)
            }
          }
        })
      writer.member("totals", object: { writer in totals.write(to: &writer) })
    }
  }

  public init(json: JSONValue) throws(PayloadError) {
    let fields = try FieldReader(json, code: .invalidMessage, what: "A WorkerReport")
    guard let stage = StageName(rawValue: try fields.required("stage")) else {
      throw PayloadError(.invalidMessage, "\"stage\" is unknown.")
    }
    self.init(stage: stage, worker: try fields.required("worker"), at: try fields.required("at"))
    host = try fields.string("host")
    pid = try fields.count("pid")
    version = try fields.string("version")
    startedAt = try fields.string("startedAt")
    partitions = try fields.count("partitions") ?? 0
    if let object = try fields.object("assignment") { assignment = try Self.assignment(object) }
    running = try fields.count("running") ?? 0
    recent = try fields.count("recent") ?? 0
    held = try fields.count("held") ?? 0
    delayed = try fields.count("delayed") ?? 0
    stopped = try fields.string("stopped")
    outage = try fields.string("outage")
    for (bucket, wait) in try fields.object("waitingForQuota")?.members.map({ ($0.key, $0.value) }) ?? [] {
      let fields = try FieldReader(wait, code: .invalidMessage, what: "A wait")
      waitingForQuota.append(
        QuotaWait(
          bucket: bucket, calls: try fields.count("calls") ?? 0, reason: try fields.string("reason"), until: try fields.string("until")))
    }
    if let object = try fields.object("totals") { totals = try Totals(json: object) }
  }
}

extension WorkerReport.Totals {
  func write(to writer: inout JSONWriter) {
    writer.member("consumed", consumed)
    writer.member("produced", produced)
    writer.member("retried", retried)
    writer.member("deadLettered", deadLettered)
    writer.member("repeated", repeated)
  }

  init(json: JSONValue) throws(PayloadError) {
    let fields = try FieldReader(json, code: .invalidMessage, what: "\"totals\"")
    consumed = try fields.count("consumed") ?? 0
    produced = try fields.count("produced") ?? 0
    retried = try fields.count("retried") ?? 0
    deadLettered = try fields.count("deadLettered") ?? 0
    repeated = try fields.count("repeated") ?? 0
  }
}

extension WorkerReport {
  private func writeAssignment(to writer: inout JSONWriter) {
    for (topic, numbers) in assignment.sorted(by: { $0.key < $1.key }) {
      writer.key(named: topic)
      writer.array { writer in for number in numbers { writer.value(number) } }
    }
  }

  private static func assignment(_ object: JSONValue) throws(PayloadError) -> [String: [Int]] {
    var result: [String: [Int]] = [:]
    for (topic, value) in object.members {
      let numbers = value.elements.compactMap(\.int)
      guard value.kind == .array, numbers.count == value.elements.reduce(0, { count, _ in count + 1 }) else {
        throw PayloadError(.invalidMessage, "\"assignment\" must hold arrays of whole numbers.")
      }
      result[topic] = numbers
    }
    return result
  }
}
