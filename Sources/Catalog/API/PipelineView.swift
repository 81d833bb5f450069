import FoundationEssentials
import JSON
import Messages
import Monitoring
import Quota
import Telemetry

enum QuotaView {
  static func write(_ buckets: [BucketStatus], to writer: inout JSONWriter) {
    for bucket in buckets {
      writer.object { writer in
        writer.member("name", bucket.bucket.rawValue)
        writer.member("unit", bucket.bucket == .search ? "searches" : "units")
        writer.member("limit", bucket.limit)
        writer.member("spent", bucket.spent)
        writer.member("left", max(0, bucket.remaining))
        writer.member("resetsAt", Timestamp.rfc3339(bucket.resetsAt))
        writer.member("exhausted", bucket.isExhausted)
      }
    }
  }

  static func bytes(_ buckets: [BucketStatus], at now: Date) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("at", Timestamp.rfc3339(now))
      writer.member("buckets", array: { write(buckets, to: &$0) })
      writer.member(
        "search",
        object: { writer in
          writeCost("search.list", per: "page of up to 50 results", to: &writer)
          let searches = buckets.first { $0.bucket == .search }
          writer.member("left", max(0, searches?.remaining ?? 0))
          writer.member("resetsAt", Timestamp.rfc3339(searches?.resetsAt ?? now))
        })
      writer.member("channel", object: { writeCost("playlistItems.list", per: "50 videos, and as much again for their details", to: &$0) })
    }
    return writer.bytes
  }

  private static func writeCost(_ method: String, per what: String, to writer: inout JSONWriter) {
    let cost = CallCost.of(method)
    writer.member(
      "cost",
      object: { writer in
        writer.member("bucket", (cost?.bucket ?? .default).rawValue)
        writer.member("each", cost?.units ?? 1)
        writer.member("per", what)
      })
  }
}

enum SampleView {
  static func bytes(_ sample: PipelineSample) -> [UInt8] {
    var writer = JSONWriter()
    write(sample, to: &writer)
    return writer.bytes
  }

  static func write(_ sample: PipelineSample, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("at", TimeText.of(sample.at))
      writer.member(
        "stages",
        object: { writer in
          for (name, stage) in sample.stages.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            writer.key(named: name.rawValue)
            writer.object { writer in
              writer.member("rate", stage.rate)
              writer.member("lag", stage.lag)
              writer.member("waiting", stage.waiting)
              writer.member("failed", stage.failed)
              writer.member("members", stage.members)
            }
          }
        })
      writer.member(
        "left",
        object: { writer in
          for (bucket, left) in sample.left.sorted(by: { $0.key < $1.key }) {
            writer.key(named: bucket.rawValue)
            writer.value(max(0, left))
          }
        })
      writer.member("records", sample.records)
    }
  }
}

struct PipelineView {
  let picture: PipelinePicture
  let events: [[UInt8]]
  let letters: [CatalogReader.StoredLetter]

  func bytes(at now: Date) -> [UInt8] {
    var writer = JSONWriter(capacity: 64 << 10)
    writer.object { writer in
      writer.member("at", Timestamp.rfc3339(now))
      writer.member("stages", array: { writer in for stage in picture.stages { write(stage, to: &writer) } })
      if let quota = picture.quota { writer.member("quota", array: { QuotaView.write(quota, to: &$0) }) }
      writer.member("samples", array: { writer in for sample in picture.samples { SampleView.write(sample, to: &writer) } })
      writer.member("sampleSeconds", Int(PipelineMonitor.interval.components.seconds))
      EventView.write("events", events, to: &writer)
      writer.member("deadLetters", array: { writer in for letter in letters { write(letter, to: &writer) } })
      writer.member("problems", array: { writer in for problem in picture.problems { writer.value(problem) } })
    }
    return writer.bytes
  }

  private func write(_ stage: StagePicture, to writer: inout JSONWriter) {
    let status = stage.status
    writer.object { writer in
      writer.member("stage", status.stage.rawValue)
      writer.member("group", status.group)
      writer.member("members", status.members)
      writer.member("partitions", status.partitions)
      writer.member("assigned", status.assigned)
      // What hinders some of the workers is worth more than that others go on.
      let telling = status.workers.min { Self.rank($0.activity) < Self.rank($1.activity) }
      writer.member("state", telling?.activity.rawValue ?? "away")
      writer.member("reason", telling?.activityText)
      writer.member("rate", stage.rate)
      if let backlog = status.backlog {
        for (name, count) in [("lag", backlog.lag), ("waiting", backlog.retries), ("failed", backlog.deadLetters)]
          as [(StaticString, RecordCount)]
        {
          writer.member(
            name,
            object: { writer in
              writer.member("records", count.records)
              writer.member("atLeast", !count.isExact)
            })
        }
      }
      writer.member("workers", array: { writer in for worker in status.workers { write(worker, to: &writer) } })
    }
  }

  private static func rank(_ activity: WorkerReport.Activity) -> Int {
    switch activity {
    case .stopped: 0
    case .breakerOpen: 1
    case .waitingForQuota: 2
    case .running: 3
    case .idle: 4
    }
  }

  private func write(_ worker: WorkerReport, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("stage", worker.stage.rawValue)
      writer.member("worker", worker.worker)
      writer.member("host", worker.host)
      writer.member("version", worker.version)
      writer.member("startedAt", worker.startedAt.flatMap { Timestamp.parse($0) }.map { Timestamp.rfc3339($0) })
      writer.member("at", Timestamp.rfc3339(Timestamp.parse(worker.at) ?? Date(timeIntervalSince1970: 0)))
      writer.member("state", worker.activity.rawValue)
      writer.member("reason", worker.activityText)
      writer.member("partitions", worker.partitions)
      writer.member("running", worker.running)
      writer.member("held", worker.held)
      writer.member("consumed", worker.totals.consumed)
      writer.member("produced", worker.totals.produced)
      writer.member("deadLettered", worker.totals.deadLettered)
    }
  }

  private func write(_ letter: CatalogReader.StoredLetter, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", "\(letter.stage)-\(letter.partition)-\(letter.offset)")
      writer.member("stage", letter.stage)
      writer.member("key", letter.key)
      writer.member("code", letter.code)
      writer.member("message", letter.message)
      writer.member("failedAt", letter.failed)
      writer.member("origin", letter.origin)
    }
  }
}
