import WorkerApp

/// One thing that `tubeline` does.
protocol Command: Sendable {
  static var specification: CommandSpecification { get }
  static func run(_ invocation: Invocation) async throws -> ExitCode
}

/// What the program ends with; documented in each `--help`.
enum ExitCode: Int32, Sendable {
  case done = 0
  /// Something is missing or failed.
  case incomplete = 1
  case usage = 2
  /// `EX_TEMPFAIL`: the quota is used up and `--no-wait` was given.
  case quotaUsedUp = 75
}

/// A failure that a person can understand and often mend (exit code 1).
struct CommandError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// What a command is called with.
struct Invocation: Sendable {
  let arguments: ParsedArguments
  let settings: Settings
  let environment: [String: String]
  /// Machine-readable results.
  let output: ByteOutput
  /// Everything else.
  let messages: MessageOutput

  init(
    arguments: ParsedArguments, environment: [String: String], output: ByteOutput = ByteOutput(descriptor: 1),
    messages: MessageOutput = .standardError
  ) {
    self.arguments = arguments
    self.environment = environment
    self.output = output
    self.messages = messages
    settings = Settings(environment: environment, flags: arguments.settings)
  }

  /// The settings, checked; commands that call the API need the key.
  func configuration(key: AppConfiguration.KeyUse = .optional) throws(SettingError) -> AppConfiguration {
    try AppConfiguration(settings, key: key, isTerminal: true)
  }
}
