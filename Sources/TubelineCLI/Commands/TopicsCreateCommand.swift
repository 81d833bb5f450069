import Kafka
import Messages
import Monitoring
import Telemetry
import WorkerApp

/// `tubeline topics create`: every topic of an installation, with its clean-up rules.
enum TopicsCreateCommand: Command {
  static let specification = CommandSpecification(
    name: "topics create", summary: "creates the topics that are missing",
    options: [
      OptionSpecification("--partitions", "N", "Partitions of each new topic. Default: 8."),
      OptionSpecification("--replication", "N", "Copies of each partition. Default: what the broker has configured."),
    ],
    settings: [.kafkaServers, .topicPrefix],
    examples: [
      .init(
        "tubeline topics create --bootstrap-servers kafka:9092 --partitions 24 --replication 3",
        "Prepares a cluster; harmless when repeated.")
    ],
    notes: [
      """
      One line a topic on standard output: its name and created, exists or failed. Topics that exist are left as they are; see what they
      are with topics describe. A stage can use as many workers as its topics have partitions. The embedded broker has no admin requests:
      there a topic comes into being by asking for its metadata, with the broker's own number of partitions.
      """
    ])

  static func run(_ invocation: Invocation) async throws -> ExitCode {
    try invocation.arguments.expectNoOperands()
    let partitions = try invocation.arguments.number("--partitions", in: 1...100_000) ?? 8
    let replication = try invocation.arguments.number("--replication", in: 1...100)
    let configuration = try invocation.configuration()
    let topics = Topic.all.map { plan in
      NewTopic(
        name: configuration.topicPrefix + plan.topic.name, partitions: partitions, replicationFactor: replication,
        configuration: plan.configuration)
    }
    return try await configuration.kafka.withAdmin { try await create(topics, $0, configuration.kafka.bootstrapServers, invocation) }
  }

  private static func create(_ topics: [NewTopic], _ admin: Admin, _ servers: String, _ invocation: Invocation) async throws -> ExitCode {
    let cluster = try await admin.cluster(at: servers)
    let existing = Set(cluster.topics.map(\.name))
    let missing = topics.filter { !existing.contains($0.name) }
    let results: [String: TopicCreation]
    if cluster.isMockCluster {
      invocation.messages.line(
        "This is the embedded broker, which has no admin requests: topics are created by asking for their metadata, so --partitions and "
          + "--replication have no effect.")
      results = await createByMetadata(missing, admin)
    } else {
      results = try await admin.createTopics(missing)
    }
    var code = ExitCode.done
    for topic in topics {
      switch results[topic.name] ?? .alreadyExists {
      case .created: try invocation.output.write("\(topic.name)\tcreated\n")
      case .alreadyExists: try invocation.output.write("\(topic.name)\texists\n")
      case .failed(let error):
        try invocation.output.write("\(topic.name)\tfailed\n")
        invocation.messages.line("\(topic.name): \(VisibleText.of(error.description))")
        code = .incomplete
      }
    }
    return code
  }

  private static func createByMetadata(_ topics: [NewTopic], _ admin: Admin) async -> [String: TopicCreation] {
    var results: [String: TopicCreation] = [:]
    for topic in topics {
      do {
        // Naming a topic in a metadata request creates it where brokers allow that.
        _ = try await admin.watermarks(TopicPartition(topic: topic.name, partition: 0))
        results[topic.name] = .created
      } catch {
        results[topic.name] = .failed(error as? KafkaError ?? KafkaError(code: -1, name: "UNKNOWN", message: "\(error)"))
      }
    }
    return results
  }
}
