import Glibc
import JSON
import Kafka
import Messages
import Monitoring
import Telemetry
import WorkerApp

/// A harvest under way: one loop that publishes, reads, writes, watches its workers and shows where it stands.
actor HarvestRun {
  enum Ending: Sendable, Equatable {
    case finished, interrupted, quotaUsedUp, outputClosed
    case cannotGoOn(String)
  }

  let options: HarvestOptions
  let backend: HarvestBackend
  let entries: [ReferenceList.Entry]
  let signal: Signal
  let interruption: Occurrence
  let fleet: WorkerFleet
  let quota: QuotaWatch
  let reader: TopicReader
  let producer: Producer
  let output: ByteOutput
  private var hasBegunOutput = false
  var formatter: RecordFormatter
  var state: HarvestState
  var printer: ProgressPrinter
  var waits: [WorkerFleet.Slot: QuotaWait] = [:]
  var restarts: [(slot: WorkerFleet.Slot, due: ContinuousClock.Instant)] = []
  var policy = RestartPolicy()
  var stopReason: String?
  var shownLines: [String: ContinuousClock.Instant] = [:]
  private var rate = RateMeter()
  private var recordPartitions: [Kafka.TopicPartition] = []
  private var settlement: (ids: [String], extents: [Kafka.TopicPartition: Range<Int64>])?
  private var standstill = Standstill()
  /// Records that the output may still lose.
  private var unflushed: [(requestID: String, isAvailable: Bool)] = []
  private static let mostUnflushed = 5_000
  let clock = ContinuousClock()
  let began = ContinuousClock().now

  init(
    options: HarvestOptions, backend: HarvestBackend, entries: [ReferenceList.Entry], fleet: WorkerFleet, quota: QuotaWatch,
    output: ByteOutput,
    messages: MessageOutput, interruption: Occurrence, signal: Signal
  ) throws {
    self.options = options
    self.backend = backend
    self.entries = entries
    self.fleet = fleet
    self.quota = quota
    self.output = output
    self.signal = signal
    self.interruption = interruption
    reader = try TopicReader(configuration: backend.kafka, logger: .silent, signal: signal)
    producer = try Producer(configuration: backend.kafka, clientID: "tubeline-cli", logger: .silent)
    formatter = RecordFormatter(kind: .videos, format: options.format, width: nil)
    formatter.isRaw = options.isRawCSV
    formatter.isForTerminal = output.isTerminal
    state = HarvestState(
      entries.map { (id: RequestMessage.newID(), name: $0.name.text) }, limit: options.request.maxVideos,
      isRefresh: options.request.since != nil)
    // Records on the same terminal would tear a live view apart.
    printer = ProgressPrinter(messages: messages, isLive: options.isLive && !output.isTerminal, isColoured: options.isColoured)
  }

  func run() async throws -> ExitCode {
    // The signal also wakes the loop to redraw, and to notice that nothing happens.
    let ticker = Task { [signal, clock] in
      while (try? await clock.sleep(for: .milliseconds(250))) != nil { signal.raise() }
    }
    let quotaReader = Task { [quota, clock] in
      repeat { await quota.update() } while (try? await clock.sleep(for: .seconds(1))) != nil
    }
    let ending = await workUntilEnd()
    await fleet.stop(grace: .seconds(10))
    let last = await writeRest(after: ending)
    await quota.update()
    ticker.cancel()
    quotaReader.cancel()
    printer.finish(view())
    await producer.close(flushTimeout: .seconds(1))
    await reader.close()
    for record in unflushed.suffix(output.lostWrites) { state.takeBack(requestID: record.requestID, isAvailable: record.isAvailable) }
    return report(last)
  }

  private func workUntilEnd() async -> Ending {
    do {
      try await open()
      if options.startsWorkers { try await startWorkers() }
      while true {
        try await publish()
        let records = try await reader.take()
        try write(records)
        try await watchWorkers()
        try await settle(isIdle: records.isEmpty)
        if let ending = endingNow() { return ending }
        if printer.isDue { await show() }
        guard records.isEmpty else { continue }
        try flush()
        await signal.wait()
      }
    } catch {
      return Self.ending(of: error)
    }
  }

  static func ending(of error: any Error) -> Ending {
    switch error {
    case OutputError.closed: .outputClosed
    case let gap as TopicGap:
      .cannotGoOn("\(gap.description). The broker drops what is too much for it: harvest less at a time, or use a real cluster.")
    default: .cannotGoOn("\(error)")
    }
  }

  private func open() async throws {
    let records = backend.topicPrefix + Topic.videoRecords.name
    let events = backend.topicPrefix + Topic.requestEvents.name
    let requests = backend.topicPrefix + Topic.channelRequests.name
    let all = try await backend.kafka.withAdmin {
      try await $0.partitions(of: [records, events, requests], servers: backend.kafka.bootstrapServers)
    }
    recordPartitions = all.filter { $0.topic == records }
    // On a cluster that is older than this harvest, what lies there belongs to others.
    _ = try await reader.open(all.filter { $0.topic != requests }, from: backend.isEmbedded ? .beginning : .end)
  }

  private func publish() async throws {
    let indices = state.takeForPublishing()
    guard !indices.isEmpty else { return }
    let records = indices.map { index in
      RequestMessage.record(
        entries[index], requestID: state.requests[index].id, options: options.request, prefix: backend.topicPrefix)
    }
    do throws(ProduceError) { try await producer.send(records) } catch { throw error.first }
  }

  func write(_ records: [ConsumedRecord]) throws {
    let events = backend.topicPrefix + Topic.requestEvents.name
    for record in records {
      guard let bytes = record.value, let document = try? JSONDocument.parse(bytes) else { continue }
      if record.topic == events {
        if let event = try? RequestEvent(json: document.root) { state.receive(event) }
        continue
      }
      guard let videoID = document.root["videoId"]?.string, let requestID = document.root["requestId"]?.string else { continue }
      let availability = document.root["availability"]?.string.flatMap(Availability.init) ?? .unknown
      let identity = HarvestState.RecordIdentity(videoID: videoID, position: document.root["position"]?.int)
      if state.accept(requestID: requestID, identity, isAvailable: availability.isAvailable) {
        try beginOutput()
        unflushed.append((requestID, availability.isAvailable))
        try output.write(formatter.lines(record, document.root))
      }
    }
    if unflushed.count >= Self.mostUnflushed { try flush() }
  }

  /// What was in a file before is kept until there is something to take its place.
  private func beginOutput() throws {
    if hasBegunOutput { return }
    hasBegunOutput = true
    if options.output != nil { try output.empty() }
    try output.write(formatter.header())
  }

  private func flush() throws {
    try output.flush()
    unflushed = []
  }

  // A completion event that is ahead of its records waits for them; those that overlap or never came are found by reading to the end.
  private func settle(isIdle: Bool) async throws {
    let awaiting = state.awaitingRecords
    guard isIdle, !awaiting.isEmpty else { return }
    guard let target = settlement else {
      settlement = (awaiting, try await reader.watermarks(recordPartitions))
      return
    }
    guard await reader.hasReached(target.extents) else { return }
    let rest = try await reader.take()
    guard rest.isEmpty else { return try write(rest) }
    state.settle(target.ids)
    settlement = nil
  }

  private func endingNow() -> Ending? {
    if state.isFinished { return .finished }
    if interruption.isTrue { return .interrupted }
    if let stopReason { return .cannotGoOn(stopReason) }
    if backend.hasLostStub { return .cannotGoOn("youtube-stub has ended.") }
    if !options.waitsForQuota && waits.values.contains(where: \.isUsedUp) { return .quotaUsedUp }
    return nil
  }

  /// What the workers still published while they ended.
  private func writeRest(after ending: Ending) async -> Ending {
    do {
      if ending == .interrupted || ending == .quotaUsedUp {
        let extents = try await reader.watermarks(recordPartitions)
        let deadline = clock.now + .seconds(5)
        while await !reader.hasReached(extents), clock.now < deadline {
          let records = try await reader.take()
          try write(records)
          if records.isEmpty { await signal.wait() }
        }
      }
      guard ending != .outputClosed else { return ending }
      if ending == .finished, state.requests.contains(where: { $0.outcome == .completed }) { try beginOutput() }
      try output.close()
      await keepWatermarks()
      return ending
    } catch {
      return Self.ending(of: error)
    }
  }

  private func show() async {
    if let trouble = await reader.trouble { note("Broker: \(VisibleText.of(trouble.description))") }
    printer.show(view())
    guard waits.isEmpty, standstill.isToBeTold(changes: state.changes, at: clock.now) else { return }
    let lag = await StageLag.sentence(backend.kafka, prefix: backend.topicPrefix)
    let span = Spans.short(standstill.length(at: clock.now))
    printer.message("Nothing new for \(span); going on. \(lag); \(fleet.runningCount) workers running.")
  }

  func view() -> ProgressView {
    let elapsed = clock.now - began
    rate.note(state.written, at: elapsed)
    let wait = waits.values.first(where: \.isUsedUp) ?? waits.values.first
    return ProgressView(state: state, quota: quota.reading, wait: wait, recordsPerSecond: rate.perSecond, elapsed: elapsed)
  }
}
