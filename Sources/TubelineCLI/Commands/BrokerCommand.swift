import Kafka
import Messages
import Telemetry
import WorkerApp

/// `tubeline broker`: the embedded broker alone, for workers and other clients.
enum BrokerCommand: Command {
  static let specification = CommandSpecification(
    name: "broker", summary: "runs the embedded broker alone, for workers and for clients such as kcat",
    options: [OptionSpecification("--partitions", "N", "Partitions of each topic, 1 to 100. Default: 4.")],
    settings: [.topicPrefix],
    examples: [
      .init("tubeline broker", "Prints host:port as the first line of standard output, and runs until Ctrl-C or SIGTERM."),
      .init("echo Apple | kcat -P -b 127.0.0.1:PORT -t channel-requests", "Publishes a request from another terminal."),
    ],
    notes: [limits])

  private static let limits = """
    This broker is librdkafka's mock cluster in this process: for trying out and for tests, not for keeping data. It listens on a free port
    of 127.0.0.1, holds everything in memory, keeps the last 5 MB or 100,000 messages of a partition, has no admin requests, and does not
    store offsets of transactions: run workers with WORKER_GUARANTEE=at-least-once. A group needs 3 to 5 seconds to share out its partitions.
    """

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    try invocation.arguments.expectNoOperands()
    let partitions = try invocation.arguments.number("--partitions", in: 1...100) ?? 4
    try invocation.output.requireOpen()
    let prefix = try invocation.configuration().topicPrefix
    let stop = AsyncStream<Void>.makeStream()
    let signals = ShutdownSignals { stop.continuation.finish() }
    defer { withExtendedLifetime(signals) {} }
    let cluster = try await EmbeddedBroker.start(partitions: partitions, prefix: prefix)
    try invocation.output.write(cluster.bootstrapServers + "\n")
    try invocation.output.flush()
    invocation.messages.line(
      "Embedded broker at \(cluster.bootstrapServers), \(Topic.all.count) topics of \(partitions) partitions.\n\(limits)")
    for await _ in stop.stream {}
    await cluster.close()
    return .done
  }
}
