import FoundationEssentials
import HTTPClient
import Kafka
import Messages
import Monitoring
import Pipeline
import Quota
import QuotaStores
import Stages
import Telemetry
import YouTubeAPI

/// One stage with everything behind its ports: built from a configuration, run until it is told to stop.
final class StageRuntime: Sendable {
  private let configuration: AppConfiguration
  private let stage: StageName
  private let logger: Logger
  private let metrics = Metrics()
  private let callGate: LedgerCallGate
  private let quotaGate: QuotaGate
  private let quotaStore: any QuotaStore
  private let watermarkStore: (any WatermarkStore)?
  private let watermarks: Watermarks?
  private let worker: Worker
  private let delivery: any Delivery
  private let control: RequestControlReader
  private let reporter: WorkerReporter
  private let identity: WorkerReport.Identity
  private let tracing: Tracing

  /// Of the whole stage, for /metrics.
  private var monitor: StageMonitor {
    StageMonitor(
      stage: stage, prefix: configuration.topicPrefix, concurrency: configuration.worker.concurrency, policy: configuration.quotaPolicy,
      reader: LagReader(
        configuration.kafka, group: configuration.topicPrefix + stage.group, clientID: Self.clientID(configuration, stage),
        hasMarkers: configuration.guarantee == .exactlyOnce, logger: logger.labelled("monitor")),
      store: quotaStore, metrics: metrics, logger: logger.labelled("monitor"))
  }

  init(_ configuration: AppConfiguration, stage: StageName, logger: Logger) async throws {
    self.configuration = configuration
    self.stage = stage
    self.logger = logger
    WorkerMetricSet.declare(in: metrics, stage: stage)
    identity = WorkerReport.Identity(stage: stage, workerID: configuration.workerID)
    tracing = Tracing(configuration.traces, identity: identity, logger: logger.labelled("traces"), metrics: metrics)
    do {
      quotaStore = try await QuotaStoreURL.open(configuration.quotaStore, calendar: .pacific())
      watermarkStore = try await Self.watermarkStore(configuration, stage)
    } catch let error as QuotaStoreError where !error.isRetriable {
      throw SettingError(Setting.quotaStore.variable, error.message)
    }
    try await Self.remember(quotaStore)
    await LedgerDurability.warn(quotaStore, logger.labelled("quota"))
    quotaGate = QuotaGate(
      store: quotaStore, policy: configuration.quotaPolicy, onDataLoss: configuration.onDataLoss, logger: logger.labelled("quota"),
      observer: QuotaMetrics.observer(metrics))
    // A request that needs a search must not hold up those behind it, which need none.
    callGate = LedgerCallGate(
      quotaGate, patience: stage == .channels ? [.search: .seconds(30)] : [:], admitted: QuotaMetrics.waited(metrics, tracing.tracer))
    var limits = CurlTransport.Limits()
    limits.connectionsPerHost = configuration.worker.concurrency
    let client = YouTubeClient(
      configuration: configuration.api, transport: CurlTransport(limits: limits), gate: callGate,
      retry: BackoffRetry(), logger: logger.labelled("youtube-api"), observer: MetricsCallObserver(metrics: metrics),
      tracer: tracing.tracer)
    if let watermarkStore { await LedgerDurability.warn(watermarkStore, logger.labelled("watermarks")) }
    watermarks = watermarkStore.map {
      Watermarks(store: $0, policy: configuration.refresh, logger: logger.labelled("watermarks"))
    }
    let cancelled = CancelledRequests()
    let member = try Self.member(configuration, stage, logger)
    delivery = try Self.delivery(configuration, stage, member, metrics, logger)
    let worker = Worker(
      stage: Self.stage(stage, client, watermarks, StageContext(cancelled: cancelled)), source: member, delivery: delivery,
      configuration: configuration.worker,
      logger: logger.labelled("worker"), metrics: metrics,
      tracing: WorkerTracing(
        tracer: tracing.tracer, group: configuration.topicPrefix + stage.group, clientID: Self.clientID(configuration, stage),
        prefix: configuration.topicPrefix))
    self.worker = worker
    control = try RequestControlReader(
      configuration.kafka, prefix: configuration.topicPrefix, clientID: Self.clientID(configuration, stage), cancelled: cancelled,
      logger: logger.labelled("control"),
      onCancel: { id in await worker.hasten { ExactText(UnusableRequest($0.value).requestID ?? $0.origin) == ExactText(id) } })
    reporter = WorkerReporter(
      configuration.kafka, prefix: configuration.topicPrefix, stage: stage, worker: identity.worker,
      clientID: Self.clientID(configuration, stage), logger: logger.labelled("reporter"))
    await worker.onHaltChange { [reporter] in reporter.changed() }
  }

  /// Works until `shutDown`; throws when the process can go on no more.
  /// - Parameter onEnd: told when the work has ended well, before the clients say good-bye.
  func run(onEnd: @Sendable () -> Void) async throws {
    logger.info(
      "Starting",
      [
        "version": .string(BuildInformation.version), "kafka.bootstrap_servers": .string(configuration.kafka.bootstrapServers),
        "worker.guarantee": .string(configuration.guarantee.rawValue), "worker.id": .string(configuration.workerID ?? "none"),
      ])
    let waits = { @Sendable [quotaGate, watermarks] in
      WorkerReport.QuotaWait.all(await quotaGate.state(), listings: watermarks?.waiting ?? 0)
    }
    let health = try configuration.httpPort.map {
      try HealthServer(host: configuration.httpHost, port: $0, worker: worker, gate: quotaGate, metrics: metrics, waits: waits)
    }
    if let health { logger.info("Serving health and metrics", ["http.address": .string(health.address)]) }
    let monitoring = health.map { _ in Task { [monitor] in await monitor.run(every: configuration.metricsInterval) } }
    let outcome: Result<Void, any Error>
    tracing.start()
    await control.start()
    let reports = Task { [reporter, identity, worker] in
      await reporter.run { WorkerReport(identity, await worker.status, worker.totals, await waits(), at: Date()) }
    }
    let notice = Task { [configuration, stage, worker, logger] in
      await BrokerNotice(kafka: configuration.kafka, clientID: Self.clientID(configuration, stage), logger: logger)
        .run { await worker.status.hasJoined }
    }
    // Not awaited, as monitoring below.
    defer { notice.cancel() }
    do {
      if let transactions = delivery as? ExactlyOnceDelivery {
        try await prepare(transactions)
        await warnOfEmbeddedBroker()
      }
      // A request that was cancelled before a restart must not come back for a moment.
      await control.caughtUp()
      outcome = .success(try await worker.run())
      onEnd()
    } catch { outcome = .failure(error) }
    async let farewell: Void = control.close()
    await reporter.close(isClean: (try? outcome.get()) != nil)
    await reports.value
    await farewell
    // Not awaited: with a broker that is away it may be in a call that lasts seconds.
    monitoring?.cancel()
    await health?.stop()
    await tracing.close()
    await watermarks?.close()
    await watermarkStore?.close()
    await quotaStore.close()
    try outcome.get()
  }

  func shutDown() async {
    await worker.shutDown()
    await control.stopWaiting()
    watermarks?.stopWaiting()
    callGate.stopWaiting()
  }

  // Brokers may come up later than workers: only a fatal answer ends the wait. Short steps, since a shutdown must not wait for a broker.
  private func prepare(_ transactions: ExactlyOnceDelivery) async throws {
    var failures = 0
    while await !worker.status.isShuttingDown {
      do { return try await transactions.prepare(timeout: .seconds(1)) } catch let error as KafkaError where !error.isFatal {
        if failures.isMultiple(of: 30) { logger.warning("Transactions cannot begin yet", ["error": .string(error.description)]) }
        failures += 1
        try await Task.sleep(for: .milliseconds(200))
      }
    }
  }

  private func warnOfEmbeddedBroker() async {
    guard let admin = try? Admin(configuration: configuration.kafka, clientID: Self.clientID(configuration, stage), logger: .silent)
    else { return }
    if (try? await admin.describeCluster(timeout: .seconds(3)).isMockCluster) == true {
      logger.warning(
        "The embedded broker keeps no offsets of transactions: each restart repeats all work. Set WORKER_GUARANTEE=at-least-once.")
    }
    await admin.close()
  }

  // Without an answer there is nothing to remember, and the first reservation waits for the store. A refusal is a wrong setting.
  private static func remember(_ store: any QuotaStore) async throws(SettingError) {
    do { try await store.remember() } catch  where error.code == .refused {
      throw SettingError(Setting.quotaStore.variable, error.message)
    } catch { return }
  }

  /// The playlists stage reads watermarks, the videos stage moves them.
  private static func watermarkStore(_ configuration: AppConfiguration, _ stage: StageName) async throws(QuotaStoreError)
    -> (any WatermarkStore)?
  {
    guard stage == .playlists || stage == .videos else { return nil }
    return try await QuotaStoreURL.openWatermarks(
      configuration.quotaStore, scope: stage == .videos ? configuration.watermarkPendingScope : configuration.watermarkScope)
  }

  private static func stage(_ name: StageName, _ client: YouTubeClient, _ watermarks: Watermarks?, _ context: StageContext)
    -> any Stage
  {
    switch name {
    case .channels: ChannelsStage(client: client, batcher: ChannelBatcher(client: client), context: context)
    case .playlists: PlaylistsStage(client: client, watermarks: watermarks, context: context)
    case .videos: VideosStage(client: client, watermarks: watermarks, context: context)
    case .search: SearchStage(client: client, context: context)
    }
  }

  private static func member(_ configuration: AppConfiguration, _ stage: StageName, _ logger: Logger) throws -> KafkaMember {
    let row = StageOrder.row(stage)
    let topics = (row?.inputs ?? []) + (row?.retriesInPlace == false ? [.retry(stage)] : [])
    return try KafkaMember(
      configuration: configuration.kafka, group: configuration.topicPrefix + stage.group,
      topics: topics.map { configuration.topicPrefix + $0.name },
      instanceID: configuration.workerID.map { "\(stage.group)-\($0)" }, clientID: clientID(configuration, stage),
      commitInterval: configuration.guarantee == .atLeastOnce ? configuration.commitInterval : nil, logger: logger.labelled("kafka"))
  }

  private static func delivery(
    _ configuration: AppConfiguration, _ stage: StageName, _ member: KafkaMember, _ metrics: Metrics, _ logger: Logger
  ) throws -> any Delivery {
    let clientID = clientID(configuration, stage)
    let logger = logger.labelled("kafka")
    switch configuration.guarantee {
    case .atLeastOnce:
      let producer = try Producer(configuration: configuration.kafka, clientID: clientID, logger: logger)
      return AtLeastOnceDelivery(producer: producer, member: member, prefix: configuration.topicPrefix, logger: logger)
    case .exactlyOnce:
      // Without a name of its own a worker's id is new each time; the group's metadata still fences it.
      let name = configuration.workerID ?? UUID().uuidString.lowercased()
      let producer = try TransactionalProducer(
        configuration: configuration.kafka, transactionalID: "\(configuration.topicPrefix)\(stage.group)-\(name)", clientID: clientID,
        logger: logger)
      return ExactlyOnceDelivery(
        producer: producer, member: member, prefix: configuration.topicPrefix, logger: logger,
        ended: { metrics.add(WorkerMetricSet.transactions, 1, stage.rawValue, $0.rawValue) })
    }
  }

  private static func clientID(_ configuration: AppConfiguration, _ stage: StageName) -> String {
    configuration.workerID.map { "tubeline-\(stage.rawValue)-\($0)" } ?? "tubeline-\(stage.rawValue)"
  }
}
