import JSON
import Kafka
import Messages
import Monitoring
import Telemetry

/// A search under way: publishes it, reads what comes of it, and shows that.
actor SearchRun {
  private static let patience = Duration.seconds(10)

  private enum Ending {
    case finished, interrupted, timedOut
    case cannotGoOn(String)
  }

  private let options: SearchOptions
  private let kafka: KafkaConfiguration
  private let prefix: String
  /// `nil`: the workers run elsewhere.
  private let fleet: WorkerFleet?
  private let hasLostAPI: @Sendable () -> Bool
  private let invocation: Invocation
  private let interruption: Occurrence
  private let signal: Signal
  private let reader: TopicReader
  private let producer: Producer
  private var formatter: SearchFormatter
  private var state: SearchState
  private var waits: Set<String> = []
  private var extents: [Kafka.TopicPartition: Range<Int64>]?
  private var partitions: [Kafka.TopicPartition] = []

  init(
    _ options: SearchOptions, kafka: KafkaConfiguration, prefix: String, fleet: WorkerFleet?, invocation: Invocation,
    interruption: Occurrence, signal: Signal, hasLostAPI: @escaping @Sendable () -> Bool = { false }
  ) throws {
    self.options = options
    self.kafka = kafka
    self.prefix = prefix
    self.fleet = fleet
    self.hasLostAPI = hasLostAPI
    self.invocation = invocation
    self.interruption = interruption
    self.signal = signal
    reader = try TopicReader(configuration: kafka, logger: .silent, signal: signal)
    producer = try Producer(configuration: kafka, clientID: "tubeline-cli", logger: .silent)
    formatter = SearchFormatter(options, output: invocation.output)
    state = SearchState(requestID: options.requestID)
  }

  func run() async throws -> ExitCode {
    let outcome: Result<ExitCode, any Error>
    do {
      try await begin()
      let ending = try await work()
      try show(isLast: true)
      outcome = .success(try report(ending))
    } catch { outcome = .failure(error) }
    await fleet?.stop(grace: .seconds(10))
    await producer.close(flushTimeout: .seconds(1))
    await reader.close()
    return try outcome.get()
  }

  private func begin() async throws {
    let topics: [Topic] = [.videoRecords, .channelDetails, .requestEvents, .searchRequests]
    partitions = try await kafka.withAdmin { try await $0.partitions(of: topics.map { prefix + $0.name }, servers: kafka.bootstrapServers) }
      .filter { $0.topic != prefix + Topic.searchRequests.name }
    // Before the request is published, so that nothing of it is missed; what lies there belongs to others.
    _ = try await reader.open(partitions, from: .end)
    do throws(ProduceError) { try await producer.send([CommandMessage.record(options.request, prefix: prefix)]) } catch {
      throw error.first
    }
    invocation.messages.line("Request \(VisibleText.of(options.requestID)) is published.")
    if !options.wantsFirstVideo { try invocation.output.write(formatter.header()) }
    for stage in fleet == nil ? [] : options.stages { try await fleet?.start(WorkerFleet.Slot(stage: stage, number: 1)) }
  }

  private func work() async throws -> Ending {
    let deadline = options.timeout.map { Deadline(after: $0, signal: signal) }
    let reminder = Deadline(after: Self.patience, signal: signal)
    defer {
      deadline?.cancel()
      reminder.cancel()
    }
    var notice: Task<Void, Never>?
    defer { notice?.cancel() }
    while true {
      let records = try await reader.take()
      for record in records { receive(record) }
      if let reason = watchWorkers() { return .cannotGoOn(reason) }
      try show(isLast: false)
      if try await isDone(isIdle: records.isEmpty) { return .finished }
      if interruption.isTrue { return .interrupted }
      if deadline?.hasPassed == true { return .timedOut }
      if hasLostAPI() { return .cannotGoOn("youtube-stub has ended.") }
      if notice == nil, reminder.hasPassed { notice = Task { await tellOfSilence() } }
      guard records.isEmpty else { continue }
      await signal.wait()
      try Task.checkCancellation()
    }
  }

  /// Once, beside the work: finding out who works may take a while.
  private func tellOfSilence() async {
    guard waits.isEmpty, state.isSilent else { return }
    let reports = fleet == nil ? try? await WorkerCheck.reports(kafka, prefix: prefix) : nil
    guard waits.isEmpty, state.isSilent, !Task.isCancelled else { return }
    let advice = SearchReport.advice(needed: options.stages, working: reports.map { Set($0.map(\.stage)) })
    invocation.messages.line("Nothing has come for \(Spans.short(Self.patience)); going on. \(advice)")
  }

  private func receive(_ record: ConsumedRecord) {
    guard let bytes = record.value, let document = try? JSONDocument.parse(bytes) else { return }
    guard record.topic == prefix + Topic.requestEvents.name else { return state.receive(record, document.root) }
    if let event = try? RequestEvent(json: document.root) { state.receive(event) }
  }

  /// All that was published before the last event is read, too: topics and partitions are not read in the order of time.
  private func isDone(isIdle: Bool) async throws -> Bool {
    if options.wantsFirstVideo {
      if state.firstVideo() != nil { return true }
      guard state.ending != nil else { return false }
    } else if !state.isFinished {
      return false
    }
    guard let extents else {
      self.extents = try await reader.watermarks(partitions)
      signal.raise()
      return false
    }
    guard isIdle else { return false }
    return await reader.hasReached(extents)
  }

  private func show(isLast: Bool) throws {
    guard !options.wantsFirstVideo else { return }
    for shown in state.takeShown(isLast: isLast) { try invocation.output.write(formatter.lines(shown)) }
    try invocation.output.write(formatter.flush())
    try invocation.output.flush()
  }

  /// Returns why it cannot go on.
  private func watchWorkers() -> String? {
    for event in fleet?.takeEvents() ?? [] {
      switch event {
      case .log(let slot, let line):
        if let reason = line.stopReason { return VisibleText.of(reason) }
        if let wait = line.beginsQuotaWait {
          guard waits.insert("\(slot)").inserted else { continue }
          invocation.messages.line("\(slot) waits: \(wait.text)\(wait.until.map { ", until \($0)" } ?? ""). Ctrl-C ends the search.")
        } else if line.endsQuotaWait != nil {
          waits.remove("\(slot)")
        } else if line.level >= .warning {
          invocation.messages.line("\(slot): \(VisibleText.of(line.text))")
        }
      case .died(let slot, let ending, let lastWords):
        return "\(slot) ended with \(ending).\(lastWords.isEmpty ? "" : " Its last words: \(VisibleText.of(lastWords))")"
      }
    }
    return nil
  }

  private func report(_ ending: Ending) throws -> ExitCode {
    switch ending {
    case .interrupted: return giveUp("Stopped.")
    case .timedOut: return giveUp("It takes longer than --timeout allows.")
    case .cannotGoOn(let reason): return giveUp("Cannot go on: \(reason)")
    case .finished: break
    }
    if let ending = state.ending { invocation.messages.line(SearchReport.sentence(ending)) }
    guard options.wantsFirstVideo else {
      if !state.isSuccessful { invocation.messages.line("Not everything was completed.") }
      return state.isSuccessful ? .done : .incomplete
    }
    guard let url = state.firstVideo() ?? state.firstVideo(isLast: true) else {
      invocation.messages.line("No video that can be played was found.")
      return .incomplete
    }
    try invocation.output.write(VisibleText.of(url) + "\n")
    return .done
  }

  private func giveUp(_ reason: String) -> ExitCode {
    invocation.messages.line(reason)
    if fleet == nil { invocation.messages.line("The request goes on. End it with: tubeline cancel \(VisibleText.of(options.requestID))") }
    return .incomplete
  }
}

/// What becomes of a search, in words.
enum SearchReport {
  /// Who has to be started for a search of which nothing comes.
  ///
  /// - Parameter working: the stages whose workers report; `nil` when that is not known.
  static func advice(needed: [StageName], working: Set<StageName>?) -> String {
    guard let working else { return "Do workers run? See tubeline status." }
    let missing = needed.filter { !working.contains($0) }.map { "tubeline-\($0.rawValue)" }
    guard !missing.isEmpty else { return "The workers that it needs run; tubeline status says what they wait for." }
    return "It needs workers that do not run: start \(missing.joined(separator: ", "))."
  }

  /// Its last event.
  static func sentence(_ event: RequestEvent) -> String {
    var parts: [String] = []
    if let found = event.found {
      func add(_ count: Int, _ one: String, _ many: String) {
        if count > 0 { parts.append("\(Spans.count(count)) \(count == 1 ? one : many)") }
      }
      add(found.channels, "channel", "channels")
      add(found.videos, "video", "videos")
      add(found.playlists, "playlist", "playlists")
      if parts.isEmpty { parts.append("nothing") }
    }
    var text = "The search is \(event.kind.rawValue)"
    if event.kind == .notFound { text = "The search found no such channel" }
    if !parts.isEmpty && event.kind != .notFound { text += ": found \(parts.joined(separator: ", "))" }
    if let totals = event.totals {
      let units = totals.units > 0 ? [totals.units == 1 ? "1 unit" : "\(Spans.count(totals.units)) units"] : []
      let spent = (totals.searches > 0 ? ["\(totals.searches) of the day's searches"] : []) + units
      // Channels and lists that were found are requests of their own, and share lookups: `tubeline status` tells their units.
      let isShared = (event.found?.channels ?? 0) + (event.found?.playlists ?? 0) > 0
      if !spent.isEmpty { text += "; \(spent.joined(separator: " and ")) spent\(isShared ? " on the search itself" : "")" }
    }
    switch event.truncatedBy {
    case .ceiling: text += "; YouTube lists no more of a channel's videos by search"
    case .maxResults: text += "; there are more"
    default: break
    }
    if let error = event.error { text += "; \(VisibleText.of("\(error.code): \(error.message)"))" }
    return text + "."
  }
}
