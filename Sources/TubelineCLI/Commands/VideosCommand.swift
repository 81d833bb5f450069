/// `tubeline videos`.
enum VideosCommand: Command {
  static let specification = RecordsCommand.specification("videos", .videos, summary: "shows the records of videos")

  static func run(_ invocation: Invocation) async throws -> ExitCode { try await RecordsCommand.run(.videos, invocation) }
}
