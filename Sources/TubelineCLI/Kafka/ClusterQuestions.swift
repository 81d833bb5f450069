import Kafka
import Messages
import Telemetry
import WorkerApp

extension KafkaConfiguration {
  /// A client for a command's questions, closed when they are answered.
  nonisolated(nonsending) func withAdmin<Answer>(
    _ ask: nonisolated(nonsending) (Admin) async throws -> Answer
  ) async throws -> Answer {
    let admin = try Admin(configuration: self, clientID: "tubeline-cli", logger: .silent)
    let answer: Result<Answer, any Error>
    do { answer = .success(try await ask(admin)) } catch { answer = .failure(error) }
    await admin.close()
    return try answer.get()
  }
}

extension AppConfiguration {
  /// To be asked before something is published: a producer would create a missing topic with a broker's own settings.
  func expectTopic(_ topic: Topic) async throws {
    _ = try await kafka.withAdmin { try await $0.partitions(of: [topicPrefix + topic.name], servers: kafka.bootstrapServers) }
  }
}

extension Admin {
  /// The cluster; when nobody answers, the error says so in words that help.
  /// - Parameter messages: where a person reads what is waited for when that takes a while.
  func cluster(
    at servers: String, timeout: Duration = .seconds(10), messages: MessageOutput? = .standardError
  ) async throws -> ClusterDescription {
    let notice = Task {
      try await Task.sleep(for: .seconds(2))
      messages?.line("Waiting for a broker at \(VisibleText.of(servers)) to answer, \(timeout.components.seconds) s at most.")
    }
    defer { notice.cancel() }
    do { return try await describeCluster(timeout: timeout) } catch let error as KafkaError { throw BrokerFailure.error(error, servers) }
  }

  /// The partitions of topics that must exist.
  func partitions(of topics: [String], servers: String) async throws -> [Kafka.TopicPartition] {
    let cluster = try await cluster(at: servers)
    return try topics.flatMap { name throws -> [Kafka.TopicPartition] in
      guard let topic = cluster.topic(name), !topic.partitions.isEmpty else {
        throw CommandError("There is no topic \(name) at \(servers). Create the topics with: tubeline topics create")
      }
      return topic.partitions.map { Kafka.TopicPartition(topic: name, partition: $0.id) }
    }
  }
}

/// What the client says when no broker answers, in words that help.
enum BrokerFailure {
  static func error(_ error: KafkaError, _ servers: String) -> any Error {
    let how: String
    switch error.name {
    case "_TRANSPORT", "_ALL_BROKERS_DOWN": how = ""
    case "_TIMED_OUT": how = " in time"
    case "_RESOLVE": how = ", whose name cannot be resolved"
    default: return error
    }
    return CommandError(
      "No broker answers at \(servers)\(how). Is it running, and is KAFKA_BOOTSTRAP_SERVERS or --bootstrap-servers right?")
  }
}
