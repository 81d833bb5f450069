import FoundationEssentials
import Glibc
import Messages
import Pipeline
import Quota
import Telemetry

extension WorkerReport {
  /// What a process is, which no report changes.
  struct Identity: Sendable {
    let stage: StageName
    let worker: String
    let startedAt = Timestamp.rfc3339(Date())

    /// - Parameter workerID: WORKER_ID; without it the process is given a name.
    init(stage: StageName, workerID: String?) {
      var random = RandomSource()
      self.stage = stage
      worker = workerID ?? String(UInt32.random(in: 0x1000_0000 ... .max, using: &random), radix: 16)
    }
  }

  init(_ identity: Identity, _ status: WorkerStatus, _ done: WorkerTotals, _ waits: [QuotaWait], at time: Date) {
    self.init(stage: identity.stage, worker: identity.worker, at: Timestamp.rfc3339(time))
    host = Self.hostName
    pid = Int(getpid())
    version = BuildInformation.version
    startedAt = identity.startedAt
    partitions = status.assigned
    assignment = Dictionary(grouping: status.partitions, by: \.topic).mapValues { $0.map { Int($0.partition) }.sorted() }
    running = status.running
    held = status.held
    delayed = status.delayed
    stopped = status.stopReason
    outage = status.outage
    waitingForQuota = waits
    totals.consumed = done.consumed
    totals.produced = done.produced
    totals.retried = done.retried
    totals.deadLettered = done.deadLettered
    totals.repeated = done.repeated
  }

  /// CloudEvents in binary mode, as all messages have them.
  var headers: [MessageHeader] {
    [
      MessageHeader(HeaderName.specVersion, "1.0"), MessageHeader(HeaderName.id, "\(key)/\(place)"),
      MessageHeader(HeaderName.source, HeaderName.ownSource + stage.rawValue), MessageHeader(HeaderName.type, "tubeline.\(Self.kind).v1"),
      MessageHeader(HeaderName.time, at), MessageHeader("content-type", "application/json"),
    ]
  }

  private static let hostName: String? = {
    var buffer = [CChar](repeating: 0, count: 256)
    let code = gethostname(&buffer, buffer.count - 1)
    let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return code == 0 && !name.isEmpty ? name : nil
  }()
}

extension WorkerReport.QuotaWait {
  /// Calls that wait for units, by bucket, and listings that wait for the watermarks, whose store is the ledger's.
  static func all(_ quota: [Bucket: QuotaGateState], listings: Int) -> [Self] {
    var waits: [Self] = []
    for (bucket, state) in quota.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where state.waiting > 0 && state.reason != nil {
      waits.append(
        Self(bucket: bucket.rawValue, calls: state.waiting, reason: state.reason?.rawValue, until: state.until.map(Timestamp.rfc3339)))
    }
    if listings > 0 { waits.append(Self(bucket: "watermarks", calls: listings, reason: QuotaWaitReason.storeUnreachable.rawValue)) }
    return waits
  }
}
