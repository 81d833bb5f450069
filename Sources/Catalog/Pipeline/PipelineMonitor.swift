import FoundationEssentials
import Kafka
import Messages
import Monitoring
import Quota
import Telemetry

/// Looks at the pipeline every few seconds and remembers an hour of it.
actor PipelineMonitor: PipelineSource {
  static let interval = Duration.seconds(10)
  // An hour of samples.
  private static let mostSamples = 360

  private let kafka: KafkaConfiguration
  private let prefix: String
  private let store: CatalogStore
  private let quota: any QuotaSource
  private let hub: EventHub
  private let metrics: Metrics
  private let logger: Logger
  private var workers = WorkerBoard()
  private var rates = RateMeter()
  private var current = PipelinePicture()
  private var consumer: CatalogConsumer?

  init(
    _ kafka: KafkaConfiguration, prefix: String, store: CatalogStore, quota: any QuotaSource, hub: EventHub, metrics: Metrics,
    logger: Logger
  ) {
    self.kafka = kafka
    self.prefix = prefix
    self.store = store
    self.quota = quota
    self.hub = hub
    self.metrics = metrics
    self.logger = logger
  }

  func watch(_ consumer: CatalogConsumer) { self.consumer = consumer }

  func note(report record: ConsumedRecord) { workers.note(record) }

  func picture() -> PipelinePicture { current }

  func consuming() async -> (state: CatalogConsumer.State, behind: Int?) { await consumer?.reading ?? (.starting, nil) }

  /// Looks until the task is cancelled.
  func run() async {
    var failures = 0
    while !Task.isCancelled {
      do {
        let admin = try Admin(configuration: kafka, clientID: "tubeline-catalog", logger: .silent)
        defer { Task { await admin.close() } }
        while !Task.isCancelled {
          let begin = ContinuousClock.now
          await look(admin)
          try await Task.sleep(until: begin + Self.interval, clock: .continuous)
        }
      } catch is CancellationError {
        return
      } catch {
        if failures.isMultiple(of: 60) { logger.warning("The pipeline cannot be looked at", ["error": "\(error)"]) }
        failures += 1
        try? await Task.sleep(for: Self.interval)
      }
    }
  }

  func look(_ admin: Admin) async {
    var picture = PipelinePicture(samples: current.samples)
    let now = Date()
    let alive = workers.alive(at: now)
    rates.note(alive, at: Int(now.timeIntervalSince1970 * 1000))
    do {
      let cluster = try await admin.describeCluster(timeout: .seconds(5))
      let stages = try await StageObserver(kafka: kafka, prefix: prefix, admin: admin, asksGroups: false).stages(
        of: cluster, workers: alive, problems: &picture.problems)
      picture.stages = stages.map { StagePicture(status: $0, rate: rates.rate($0.stage)) }
    } catch {
      picture.problems.append("No broker answers at \(kafka.bootstrapServers): \(error)")
    }
    do { picture.quota = try await quota.status() } catch { picture.problems.append("The quota ledger does not answer.") }
    let videos = (try? await store.read { try $0.counter(.videos) }) ?? 0
    let sample = Self.sample(picture, at: Int(now.timeIntervalSince1970 * 1000), videos: videos)
    picture.samples = Array((picture.samples + [sample]).suffix(Self.mostSamples))
    current = picture
    hub.send("sample", SampleView.bytes(sample))
  }

  private static func sample(_ picture: PipelinePicture, at now: Int, videos: Int) -> PipelineSample {
    var sample = PipelineSample(at: now, records: videos)
    for stage in picture.stages {
      let backlog = stage.status.backlog
      sample.stages[stage.status.stage] = PipelineSample.Stage(
        rate: stage.rate, lag: backlog?.lag.records, waiting: backlog?.retries.records, failed: backlog?.deadLetters.records,
        members: stage.status.members)
    }
    for bucket in picture.quota ?? [] { sample.left[bucket.bucket] = bucket.remaining }
    return sample
  }
}
