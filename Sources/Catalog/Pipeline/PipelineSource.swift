import Messages
import Monitoring
import Quota

/// How the pipeline is, now and lately.
protocol PipelineSource: Sendable {
  func picture() async -> PipelinePicture
  func consuming() async -> (state: CatalogConsumer.State, behind: Int?)
}

/// What is known at one moment.
struct PipelinePicture: Sendable {
  var stages: [StagePicture] = []
  /// nil when the ledger does not answer.
  var quota: [BucketStatus]?
  /// The oldest first.
  var samples: [PipelineSample] = []
  var problems: [String] = []
}

struct StagePicture: Sendable {
  let status: StageStatus
  /// Messages a second.
  let rate: Double
}

/// The pipeline at one moment, in numbers.
struct PipelineSample: Sendable {
  struct Stage: Sendable {
    var rate: Double
    var lag: Int?
    var waiting: Int?
    var failed: Int?
    var members: Int
  }

  /// Milliseconds since 1970.
  var at: Int
  var stages: [StageName: Stage] = [:]
  var left: [Bucket: Int] = [:]
  var records: Int
}
