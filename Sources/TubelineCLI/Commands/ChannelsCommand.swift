/// `tubeline channels`.
enum ChannelsCommand: Command {
  static let specification = RecordsCommand.specification("channels", .channels, summary: "shows the channels that were found")

  static func run(_ invocation: Invocation) async throws -> ExitCode { try await RecordsCommand.run(.channels, invocation) }
}
