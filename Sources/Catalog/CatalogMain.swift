import SQLite
import Telemetry
import WorkerApp

/// The whole program of `tubeline-catalog`.
public enum CatalogMain {
  private static let program = "tubeline-catalog"

  /// Returns the exit code: 0 stopped by a signal, 1 cannot go on, 2 a wrong setting.
  public static func run(arguments: [String], environment: [String: String]) async -> Int32 {
    do {
      switch try WorkerFlags.parse(arguments, settings: Setting.catalog) {
      case .help:
        Console.write(
          SettingsHelp.text(
            program: program, purpose: WorkerMain.catalogPurpose, settings: Setting.catalog, width: HelpText.width(of: .output)))
      case .version: Console.write("\(program) \(BuildInformation.version)\n")
      case .run(let flags): return try await run(Settings(environment: environment, flags: flags))
      }
      return 0
    } catch {
      Console.write("\(program): \(error)\nSee \(program) --help.\n", to: .error)
      return 2
    }
  }

  /// A full disk, a lock of another process: no setting is wrong, and whoever supervises the process starts it again.
  static func mayWorkLater(_ error: any Error) -> Bool {
    switch error {
    case let error as CatalogStoreError: error.isRetriable
    case let error as SQLiteError: error.isRetriable
    default: false
    }
  }

  private static func run(_ settings: Settings) async throws(SettingError) -> Int32 {
    let configuration = try CatalogConfiguration(settings, isTerminal: Console.Stream.error.isTerminal)
    let logger = Logger.standardError(label: program, level: configuration.logLevel, format: configuration.logFormat)
    let (wishes, wish) = AsyncStream.makeStream(of: Void.self)
    let signals = ShutdownSignals { wish.yield() }
    defer { withExtendedLifetime(signals) {} }
    let runtime: CatalogRuntime
    do { runtime = try await CatalogRuntime(configuration, logger: logger) } catch {
      guard mayWorkLater(error) else { throw SettingError("start", "\(error)") }
      logger.error("Cannot start", ["error": "\(error)"])
      return 1
    }
    // Scripts and people find the page by the first line.
    Console.write(runtime.address + "\n")
    await runtime.run(until: wishes)
    return 0
  }
}
