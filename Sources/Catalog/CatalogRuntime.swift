import FoundationEssentials
import SQLite
import Telemetry
import WorkerApp

/// The catalogue with everything behind it: built from a configuration, run until it is told to stop.
final class CatalogRuntime: Sendable {
  private let configuration: CatalogConfiguration
  private let logger: Logger
  private let store: CatalogStore
  private let hub = EventHub()
  private let metrics = Metrics()
  private let quota: LedgerQuotaSource
  private let publisher: KafkaPublisher
  private let monitor: PipelineMonitor
  private let consumer: CatalogConsumer
  private let server: CatalogServer

  private static let stopGrace = Duration.seconds(5)

  init(_ configuration: CatalogConfiguration, logger: Logger) async throws {
    self.configuration = configuration
    self.logger = logger
    store = try await CatalogStore.open(configuration.database, retention: configuration.retention)
    do {
      quota = LedgerQuotaSource(url: configuration.quotaStore, policy: configuration.quotaPolicy)
      publisher = KafkaPublisher(configuration.kafka, prefix: configuration.topicPrefix, logger: logger.labelled("kafka"))
      let monitor = PipelineMonitor(
        configuration.kafka, prefix: configuration.topicPrefix, store: store, quota: quota, hub: hub, metrics: metrics,
        logger: logger.labelled("monitor"))
      self.monitor = monitor
      consumer = try CatalogConsumer(
        configuration.kafka, prefix: configuration.topicPrefix, store: store, hub: hub, metrics: metrics,
        logger: logger.labelled("consumer"), onReport: { await monitor.note(report: $0) })
      await monitor.watch(consumer)
      let access = AccessPolicy(token: configuration.token, isReadOnly: configuration.isReadOnly, hosts: configuration.hosts)
      let api = CatalogAPI(
        store: store, access: access, hub: hub, pipeline: monitor, publisher: publisher, quota: quota, metrics: metrics,
        logger: logger.labelled("api"))
      server = try CatalogServer(host: configuration.httpHost, port: configuration.httpPort, api: api)
    } catch {
      await store.close()
      throw error
    }
  }

  var address: String { server.address }

  /// Works until `stopping` ends.
  func run(until stopping: AsyncStream<Void>) async {
    logger.info(
      "Serving the catalogue",
      [
        "version": .string(BuildInformation.version), "http.address": .string(address), "database": .string(configuration.database),
        "kafka.bootstrap_servers": .string(configuration.kafka.bootstrapServers), "read_only": .bool(configuration.isReadOnly),
      ])
    let work = Task { [consumer, monitor] in
      await withTaskGroup { group in
        group.addTask { await consumer.run() }
        group.addTask { await monitor.run() }
        group.addTask { await self.tell() }
        group.addTask { await self.removeExpired() }
      }
    }
    for await _ in stopping { break }
    logger.info("Stopping")
    hub.close()
    await server.stop(grace: Self.stopGrace)
    work.cancel()
    // Calls of the Kafka library may outlast their own timeouts while the broker is away. What is not stored yet is read again.
    if await !Ending.comes(to: work, within: configuration.shutdownGrace) {
      logger.warning("Something is still under way; ending without it")
    }
    await publisher.close()
    await quota.close()
    await store.close()
  }

  // What has changed, a few times a second; and a sign of life, which finds connections whose client is gone.
  private func tell() async {
    let step = Duration.milliseconds(250)
    var steps = 0
    while (try? await Task.sleep(for: step)) != nil {
      steps += 1
      // During a catch-up there are many requests, and nobody listens to thousands at once.
      let isHeard = hub.count > 0
      let changes = hub.takeChanges(most: isHeard ? 200 : .max)
      if steps.isMultiple(of: 60) { hub.beat() }
      guard isHeard else { continue }
      await tell(changes.requests)
      if changes.hasRecords, let view = try? await CatalogueView.read(store, monitor) { hub.send("catalogue", view.bytes) }
    }
  }

  private func tell(_ requests: [String]) async {
    guard !requests.isEmpty else { return }
    guard let found = try? await store.read({ reader in try requests.compactMap { try reader.request($0) } }) else { return hub.lose() }
    for request in found { hub.send("request", RequestView(request).bytes) }
  }

  private func removeExpired() async {
    while !Task.isCancelled {
      do {
        while try await store.write({ try $0.removeExpired(most: 500) }) { try await Task.sleep(for: .milliseconds(50)) }
      } catch is CancellationError {
        return
      } catch {
        metrics.add(CatalogMetrics.retentionFailures, 1)
        logger.warning("What is too old could not be removed", ["error": "\(error)"])
      }
      guard (try? await Task.sleep(for: .seconds(60))) != nil else { return }
    }
  }
}

/// Waiting that ends.
private enum Ending {
  /// Whether the task ended in time.
  static func comes(to task: Task<Void, Never>, within limit: Duration) async -> Bool {
    let (outcomes, outcome) = AsyncStream.makeStream(of: Bool.self)
    let waiting = Task {
      await task.value
      outcome.yield(true)
    }
    let timer = Task {
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      outcome.yield(false)
    }
    defer {
      timer.cancel()
      waiting.cancel()
    }
    for await isOver in outcomes { return isOver }
    return false
  }
}
