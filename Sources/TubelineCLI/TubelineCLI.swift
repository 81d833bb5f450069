import Glibc
import Telemetry
import WorkerApp

/// The whole program `tubeline`.
public enum TubelineCLI {
  static let commands: [any Command.Type] = [
    HarvestCommand.self, PlanCommand.self, PublishCommand.self, SearchCommand.self, VideosCommand.self, ChannelsCommand.self,
    EventsCommand.self, StatusCommand.self, CancelCommand.self, BrokerCommand.self, TopicsCreateCommand.self,
    TopicsDescribeCommand.self, QuotaShowCommand.self, QuotaSetCommand.self, QuotaClearCommand.self, DeadLettersListCommand.self,
    DeadLettersShowCommand.self, DeadLettersReplayCommand.self, DeadLettersExportCommand.self, DeadLettersDiscardCommand.self,
    DoctorCommand.self, CompletionsCommand.self, ManualCommand.self,
  ]

  /// Has to come before anything else that the program does.
  public static func prepare() { Console.reserveStreams() }

  /// Returns the exit code: 0 done, 1 incomplete or failed, 2 usage, 75 quota used up and `--no-wait`.
  public static func run(arguments: [String], environment: [String: String]) async -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    switch CommandLookup.find(arguments, among: commands, width: HelpText.width(of: .output)) {
    case .command(let command, let rest): return await run(command, rest, environment).rawValue
    case .help(let text):
      Console.write(text)
      return ExitCode.done.rawValue
    case .mistake(let text):
      Console.write(text, to: .error)
      return ExitCode.usage.rawValue
    }
  }

  // Whoever read may have seen enough: whether something is missing is the command's to say.
  private static func finish(_ output: ByteOutput) throws(OutputError) {
    do throws(OutputError) { try output.flush() } catch {
      if error != .closed { throw error }
    }
  }

  private static func run(_ command: any Command.Type, _ arguments: [String], _ environment: [String: String]) async -> ExitCode {
    let specification = command.specification
    let name = "tubeline \(specification.name)"
    let output = ByteOutput(descriptor: 1)
    do {
      let parsed = try specification.parser.parse(arguments)
      if parsed.wantsHelp {
        try output.write(specification.help(width: HelpText.width(of: .output)))
        try output.flush()
        return .done
      }
      let code = try await command.run(Invocation(arguments: parsed, environment: environment, output: output))
      try finish(output)
      return code
    } catch OutputError.closed {
      // Whoever read has seen enough.
      return .done
    } catch {
      try? output.flush()
      Console.write("\(name): \(VisibleText.of("\(error)"))\n", to: .error)
      guard error is UsageError || error is SettingError else { return .incomplete }
      Console.write("See \(name) --help.\n", to: .error)
      return .usage
    }
  }
}
