import JSON
import Kafka
import Messages
import Telemetry
import WorkerApp

/// `tubeline topics describe`: what there is, and what is missing.
enum TopicsDescribeCommand: Command {
  enum Format: String, CaseIterable { case table, json }

  static let specification = CommandSpecification(
    name: "topics describe", summary: "shows the topics, their partitions and clean-up rules, and which are missing",
    options: [OptionSpecification("--format", "table|json", "Default: table.")],
    settings: [.kafkaServers, .topicPrefix],
    examples: [.init("tubeline topics describe --format json", "One object a topic; exit code 1 when one is missing.")],
    notes: [
      "A broker without admin requests (the embedded one) does not tell clean-up rules; they are shown as unknown."
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    try invocation.arguments.expectNoOperands()
    let format: Format = try invocation.arguments.word("--format") ?? .table
    let configuration = try invocation.configuration()
    let states = try await TopicInspection.read(configuration)
    switch format {
    case .json: for state in states { try invocation.output.write(state.json.bytes() + [0x0A]) }
    case .table: try invocation.output.write(table(states, width: TerminalSize.columns(of: invocation.output)))
    }
    return states.allSatisfy(\.exists) ? .done : .incomplete
  }

  private static func table(_ states: [TopicInspection], width: Int?) -> String {
    var table = TextTable(columns: [
      .init("topic"), .init("partitions", .right), .init("replicas", .right, dispensable: 1), .init("clean-up", dispensable: 2),
      .init("retention", .right, dispensable: 3), .init("state"),
    ])
    for state in states {
      table.append([
        state.name, state.exists ? "\(state.partitions)" : "–", state.replicas.map { "\($0)" } ?? "–", state.cleanup ?? "unknown",
        state.retentionText, state.exists ? "ok" : "MISSING",
      ])
    }
    return table.text(width: width)
  }
}
