import Kafka
import Messages
import Monitoring
import Telemetry
import WorkerApp

/// `tubeline search`: publishes a search, and shows what it finds.
enum SearchCommand: Command {
  static let specification = CommandSpecification(
    name: "search", summary: "searches YouTube for channels, videos and playlists", operands: "QUERY…", options: SearchOptions.flags,
    settings: [
      .kafkaServers, .topicPrefix, .apiURL, .apiKey, .apiKeyFile, .quotaStore, .dailyUnits, .dailySearches, .requestsPerMinute,
    ],
    defaults: [.kafkaServers: "localhost:9092, and with --wait or --first-video an embedded broker"],
    examples: [
      .init("tubeline search swift kafka --type channel,video", "Publishes the request and prints its id."),
      .init(
        "tubeline search swift kafka --type video --max-results 100 --wait",
        "Two searches, or more when pages come short; the videos as they come."),
      .init("mpv \"$(tubeline search --first-video play something)\"", "The first video for a phrase."),
      .init("tubeline search --channel-id UCK8sQmJBp8GCxrOtXWBpyEA --type video --order date --wait", "A channel's newest, by search."),
    ],
    notes: [
      """
      The words are one query; | between words is or, a dash before one excludes it (put -- before the first word then). A search costs one
      of the project's daily searches for each page of up to 50 (QUOTA_DAILY_SEARCHES, 100), whatever it finds; pages may come short, and
      then there are more of them. To list a channel, publish it:
      its uploads list is cheaper and whole.
      """,
      """
      Videos become records (video-records, position is the rank). Each found channel and playlist becomes a request of its own, called
      REQUEST-ID/ID, with its own last event: of a channel only its details unless --scope uploads says more; a playlist is listed whole
      (--max-videos bounds it).
      """,
      """
      --wait and --first-video use the cluster of --bootstrap-servers or KAFKA_BOOTSTRAP_SERVERS, where workers must run. Without either
      they start an embedded broker and the workers that the search needs, which lie beside this executable and end with it; without an API
      key they ask the built-in API double, whose data is made up. --first-video prints a video that is public, may be embedded and has
      begun; if there is none, one that can be watched.
      """,
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    let options = try SearchOptions(invocation.arguments, environment: invocation.environment)
    // Requests whose ids or results nobody learns cannot be followed.
    try invocation.output.requireOpen()
    guard options.waits else { return try await publish(options, invocation) }
    let signal = Signal()
    let interruption = Occurrence(signal: signal)
    let signals = ShutdownSignals { interruption.happen() }
    defer { withExtendedLifetime(signals) {} }
    guard options.backend.bootstrapServers == nil else {
      let configuration = try invocation.configuration()
      return try await SearchRun(
        options, kafka: configuration.kafka, prefix: configuration.topicPrefix, fleet: nil, invocation: invocation,
        interruption: interruption, signal: signal
      ).run()
    }
    return try await runEmbedded(options, invocation, interruption, signal)
  }

  private static func runEmbedded(
    _ options: SearchOptions, _ invocation: Invocation, _ interruption: Occurrence, _ signal: Signal
  ) async throws -> ExitCode {
    let binaries = try Executables.folder()
    let backend = try await HarvestPreparation(options: options.backend, invocation: invocation, binaries: binaries, signal: signal)
      .prepare()
    if let note = backend.note(options.backend, purpose: "search YouTube") { invocation.messages.line(note) }
    let outcome: Result<ExitCode, any Error>
    do {
      let fleet = WorkerFleet(folder: binaries, environment: backend.environment, log: nil, signal: signal)
      let run = try SearchRun(
        options, kafka: backend.kafka, prefix: backend.topicPrefix, fleet: fleet, invocation: invocation, interruption: interruption,
        signal: signal, hasLostAPI: { backend.hasLostStub })
      outcome = .success(try await run.run())
    } catch { outcome = .failure(error) }
    await backend.close()
    return try outcome.get()
  }

  private static func publish(_ options: SearchOptions, _ invocation: Invocation) async throws -> ExitCode {
    let configuration = try invocation.configuration()
    try await configuration.expectTopic(SearchRequest.topic)
    let producer = try Producer(configuration: configuration.kafka, clientID: "tubeline-cli", logger: .silent)
    let outcome: Result<Void, any Error>
    do {
      let record = CommandMessage.record(options.request, prefix: configuration.topicPrefix)
      do throws(ProduceError) { try await producer.send([record]) } catch { throw error.first }
      outcome = .success(())
    } catch { outcome = .failure(error) }
    await producer.close()
    try outcome.get()
    try invocation.output.write(options.requestID + "\n")
    return .done
  }
}
