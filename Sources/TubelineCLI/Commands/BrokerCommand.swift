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
    notes: [limits, sharing])

  private static let limits = """
    This broker is librdkafka's mock cluster in this process: for trying out and for tests, not for keeping data. It listens on a free port
    of 127.0.0.1, which the library chooses (so there is no --port), holds everything in memory, keeps the last 5 MB or 100,000 messages of
    a partition, and has no admin requests.
    """

  private static let sharing = """
    It does not store offsets of transactions, hence WORKER_GUARANTEE=at-least-once. The first worker of a group gets its partitions after
    3 to 5 seconds. Whenever another one comes or goes, all of them wait for about a session, and one that was killed is missed only then:
    45 seconds by default, hence KAFKA_SESSION_TIMEOUT_MS=6000. The line for the workers' terminals is on standard error.
    """

  /// What a terminal needs in which workers are to run, and why.
  static func ready(_ servers: String, prefix: String) -> String {
    let topics = prefix.isEmpty ? "" : " TOPIC_PREFIX=\(prefix)"
    return """
      export KAFKA_BOOTSTRAP_SERVERS=\(servers)\(topics) WORKER_GUARANTEE=at-least-once KAFKA_SESSION_TIMEOUT_MS=6000
      Workers need that line: this broker keeps no offsets of transactions, and shares out the partitions of a worker that came or left only
      after a session, 45 s by default.
      """
  }

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
      "Embedded broker at \(cluster.bootstrapServers), \(Topic.all.count) topics of \(partitions) partitions. Ctrl-C ends it.")
    invocation.messages.line(ready(cluster.bootstrapServers, prefix: prefix))
    for await _ in stop.stream {}
    await cluster.close()
    return .done
  }
}
