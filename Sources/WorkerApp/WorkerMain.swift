import Glibc
public import Messages
import Pipeline
import Quota
import Synchronization
import Telemetry

/// Whether the work ended well, and only farewells are left.
private final class WorkState: Sendable {
  private let state = Atomic(false)

  var isOver: Bool { state.load(ordering: .acquiring) }
  func end() { state.store(true, ordering: .releasing) }
}

/// The whole program of a worker executable.
public enum WorkerMain {
  /// Has to come before anything else that the program does.
  public static func prepare() {
    Console.reserveStreams()
    // Who reads the log may leave; the work goes on.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Returns the exit code: 0 stopped by a signal, 1 cannot go on, 2 a wrong setting.
  public static func run(_ stage: StageName, arguments: [String], environment: [String: String]) async -> Int32 {
    let program = "tubeline-\(stage.rawValue)"
    do {
      switch try WorkerFlags.parse(arguments) {
      case .help:
        Console.write(SettingsHelp.text(program: program, purpose: purpose(stage), width: HelpText.width(of: .output)))
      case .version: Console.write("\(program) \(BuildInformation.version)\n")
      case .run(let flags): return try await run(stage, Settings(environment: environment, flags: flags), program: program)
      }
      return 0
    } catch {
      Console.write("\(program): \(error)\nSee \(program) --help.\n", to: .error)
      return 2
    }
  }

  private static func run(_ stage: StageName, _ settings: Settings, program: String) async throws(SettingError) -> Int32 {
    let configuration = try AppConfiguration(settings, isTerminal: Console.Stream.error.isTerminal)
    let logger = Logger.standardError(label: program, level: configuration.logLevel, format: configuration.logFormat)
    for suspicion in settings.suspicions() { logger.warning("Variable without effect", ["variable": .string(suspicion)]) }
    // From here on a signal is a wish: one that comes while the clients are made is kept.
    let (wishes, wish) = AsyncStream.makeStream(of: Void.self)
    let work = WorkState()
    let signals = ShutdownSignals {
      // A broker that is away can make the clients' good-byes long: nothing hangs on them.
      ShutdownSignals.endProcess(after: configuration.worker.shutdownGrace + .seconds(5)) { work.isOver ? 0 : 1 }
      wish.yield()
    }
    defer { withExtendedLifetime(signals) {} }
    let runtime: StageRuntime
    do { runtime = try await StageRuntime(configuration, stage: stage, logger: logger) } catch let error as QuotaStoreError
      where error.isRetriable
    {
      // A full disk, or a lock of another process: no setting is wrong.
      logger.error("Cannot start", ["error": .string(error.message)])
      return 1
    } catch {
      throw SettingError("start", "\(error)")
    }
    let waiting = Task { for await _ in wishes { await runtime.shutDown() } }
    defer { waiting.cancel() }
    do {
      try await runtime.run { work.end() }
      return 0
    } catch {
      logger.error("Cannot go on", ["error": "\(error)"])
      return 1
    }
  }

  /// What a stage's worker does, as its `--help` says.
  public static func purpose(_ stage: StageName) -> String {
    switch stage {
    case .search: "searches YouTube as search-requests ask"
    case .channels: "finds the channels that channel-requests name"
    case .playlists: "lists the uploads of channels, page after page"
    case .videos: "makes one record of each listed video"
    }
  }

  /// The same for `tubeline-catalog`.
  public static let catalogPurpose = "keeps what was harvested in a database, and serves it as a page and as JSON"
}
