/// `tubeline events`.
enum EventsCommand: Command {
  static let specification = RecordsCommand.specification("events", .events, summary: "shows what happened to requests")

  static func run(_ invocation: Invocation) async throws -> ExitCode { try await RecordsCommand.run(.events, invocation) }
}
