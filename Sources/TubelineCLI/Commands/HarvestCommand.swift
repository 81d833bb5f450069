import Glibc
import Messages
import Monitoring
import Telemetry
import WorkerApp

/// `tubeline harvest`: from names to records in one command.
enum HarvestCommand: Command {
  static let specification = CommandSpecification(
    name: "harvest", summary: "harvests channels, playlists or videos into a file, with everything that is needed", operands: "NAME…",
    options: HarvestOptions.flags,
    settings: [
      .apiURL, .apiKey, .apiKeyFile, .quotaStore, .dailyUnits, .dailySearches, .pacing, .requestsPerMinute, .lookBack, .fullPassAfter,
      .watermarkScope, .topicPrefix,
    ],
    takesKafkaProperties: true,
    examples: [
      .init("YOUTUBE_API_KEY_FILE=key.txt tubeline harvest @Google @Apple --output videos.jsonl", "Both channels' uploads, with progress."),
      .init("tubeline harvest Google --no-enrich --max-videos 100 | jq -r .title", "Without an API key: made-up data from the API double."),
      .init(
        "tubeline harvest --from names.txt --output v.csv --format csv --no-wait", "A list; exit code 75 when today's units end first."),
      .init("tubeline harvest @Google --since last --output new.jsonl", "What was uploaded since the last harvest of that channel."),
    ],
    notes: [
      """
      NAME is anything a person pastes: a name, @handle, channel id, or the address of a channel, playlist or video; - reads names from
      standard input. Starts an embedded broker and the workers tubeline-channels, tubeline-playlists and tubeline-videos, which lie beside
      this executable; they end with it. Ends when every request has its last event and as many records are written as it counts. Spellings of the same
      reference are harvested once; that a name and a handle (Apple, @apple) are the same channel shows only when both are looked up: then its
      records come twice, and the table says so.
      """,
      """
      API: with YOUTUBE_API_KEY or YOUTUBE_API_KEY_FILE, YouTube, and the ledger of QUOTA_STORE. Without a key, or with --demo or
      --recordings, the built-in API double youtube-stub with made-up or recorded data, and a ledger of its own. With YOUTUBE_API_URL and no
      key, the API there (such as a youtube-stub of yours), with a placeholder for the key.
      """,
      """
      KAFKA_BOOTSTRAP_SERVERS in the environment is not looked at: only the flag makes harvest use another cluster, whose topics must exist
      (tubeline topics create). What --since last has seen is kept with the ledger, under the name of WATERMARK_SCOPE (default: harvest), and
      only by harvests that were completed and written. Ctrl-C ends in good order with exit code 1, and so does a reader
      of the output that leaves before the last record; a second Ctrl-C ends at once. Records go to standard output or FILE, everything else
      to standard error.
      """,
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    let options = try HarvestOptions(
      invocation.arguments, environment: invocation.environment, isTerminal: invocation.messages.isTerminal)
    let list = ReferenceList(try await NameInput.names(invocation.arguments), allowSearch: options.request.allowSearch)
    guard list.problems.isEmpty else {
      for problem in list.problems { invocation.messages.line(problem) }
      invocation.messages.line("Nothing was harvested: mend these names, or leave them out.")
      return .usage
    }
    if list.repetitions > 0 { invocation.messages.line(list.repetitionSentence("harvested")) }
    let signal = Signal()
    let interruption = Occurrence(signal: signal)
    let signals = ShutdownSignals { interruption.happen() }
    defer { withExtendedLifetime(signals) {} }
    let binaries = try Executables.folder()
    let before = options.output.flatMap { ByteOutput.existingBytes(path: $0) }
    let output = try output(options, invocation)
    let log = try options.logFile.map { try ByteOutput(path: $0) }
    let preparation = HarvestPreparation(options: options.backend, invocation: invocation, binaries: binaries, signal: signal)
    let backend = try await preparation.prepare()
    if let path = options.output, let before {
      invocation.messages.line("NOTE: the first record replaces what \(VisibleText.of(path)) has now, \(Spans.count(before)) bytes.")
    }
    do {
      let code = try await harvest(options, list.entries, backend, output, log, interruption, signal, invocation, binaries)
      await backend.close()
      try? log?.close()
      return code
    } catch {
      await backend.close()
      throw error
    }
  }

  private static func output(_ options: HarvestOptions, _ invocation: Invocation) throws -> ByteOutput {
    guard let path = options.output else {
      try invocation.output.requireOpen()
      return invocation.output
    }
    return try ByteOutput(path: path, keepsContent: true)
  }

  private static func harvest(
    _ options: HarvestOptions, _ entries: [ReferenceList.Entry], _ backend: HarvestBackend, _ output: ByteOutput, _ log: ByteOutput?,
    _ interruption: Occurrence, _ signal: Signal, _ invocation: Invocation, _ binaries: String
  ) async throws -> ExitCode {
    if let note = backend.note(options.backend, purpose: "harvest YouTube") { invocation.messages.line(note) }
    if options.request.since != nil && backend.hasTemporaryLedger {
      invocation.messages.line("NOTE: without QUOTA_STORE the double's ledger is new each time: everything is harvested.")
    }
    let quota = try await QuotaWatch(url: backend.quotaStore, policy: backend.quotaPolicy)
    let fleet = WorkerFleet(folder: binaries, environment: backend.environment, log: log, signal: signal)
    let run = try HarvestRun(
      options: options, backend: backend, entries: entries, fleet: fleet, quota: quota, output: output, messages: invocation.messages,
      interruption: interruption, signal: signal)
    let code = try await run.run()
    await quota.close()
    return code
  }
}

/// Where this program and its siblings lie.
enum Executables {
  static func folder() throws -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let slash = path.lastIndex(of: "/") else { throw CommandError("The folder of this executable cannot be found.") }
    return String(path[..<slash])
  }
}
