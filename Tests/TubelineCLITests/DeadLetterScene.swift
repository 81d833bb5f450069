import FoundationEssentials
import Glibc
import Kafka
import Messages
import Telemetry
import Testing

@testable import Monitoring
@testable import TubelineCLI

/// A broker with every topic: one of its own, or the cluster at TEST_KAFKA with topics of its own.
struct DeadLetterScene: BrokerTests {
  static let realServers = getenv("TEST_KAFKA").map { String(cString: $0) }

  let servers: String
  let prefix: String

  var kafka: KafkaConfiguration { KafkaConfiguration(bootstrapServers: servers) }

  static func with(_ body: (DeadLetterScene) async throws -> Void) async throws {
    guard let realServers else {
      let cluster = try await EmbeddedBroker.start(partitions: 2)
      try await body(DeadLetterScene(servers: cluster.bootstrapServers, prefix: ""))
      await cluster.close()
      return
    }
    let scene = DeadLetterScene(servers: realServers, prefix: "t\(UInt32.random(in: 0 ... .max))-")
    _ = try await scene.run(TopicsCreateCommand.self, ["--partitions", "2"] + scene.flags)
    let result: Result<Void, any Error>
    do { result = .success(try await body(scene)) } catch { result = .failure(error) }
    let admin = try Admin(configuration: scene.kafka, clientID: "test", logger: .silent)
    _ = try await admin.deleteTopics(Topic.all.map { scene.prefix + $0.topic.name })
    await admin.close()
    try result.get()
  }

  var flags: [String] { ["--bootstrap-servers", servers, "--topic-prefix", prefix] }

  func command(_ command: any Command.Type, _ arguments: String...) async throws -> (code: ExitCode, output: String, messages: String) {
    try await run(command, arguments + flags)
  }

  /// A letter as a stage writes it.
  func letter(
    _ stage: StageName, partition: Int32 = 0, key: String? = "k", value: [UInt8]? = Array("{}".utf8),
    origin: Topic = .playlistRequests, code: DeadLetterCode = .attemptsExhausted, failedAt: String = "2026-11-30T06:00:00.000Z",
    original: [KafkaHeader] = []
  ) -> ProducerRecord {
    ProducerRecord(
      topic: prefix + Topic.dead(stage).name, partition: partition, key: key.map { Array($0.utf8) }, value: value,
      headers: original + [
        KafkaHeader(HeaderName.stage, stage.rawValue), KafkaHeader(HeaderName.attempt, "6"),
        KafkaHeader(HeaderName.errorCode, code.rawValue), KafkaHeader(HeaderName.errorMessage, "Given up."),
        KafkaHeader(HeaderName.originTopic, prefix + origin.name), KafkaHeader(HeaderName.originPartition, "1"),
        KafkaHeader(HeaderName.originOffset, "7"), KafkaHeader(HeaderName.failedAt, failedAt),
      ])
  }

  func send(_ records: ProducerRecord...) async throws { try await send(records, servers) }

  /// Every committed record of a topic, partition by partition.
  func records(_ topic: Topic) async throws -> [ConsumedRecord] {
    let signal = Signal()
    let reader = try TopicReader(configuration: kafka, logger: .silent, signal: signal)
    let partitions = (0..<Int32(2)).map { Kafka.TopicPartition(topic: prefix + topic.name, partition: $0) }
    let extents = try await reader.open(partitions, from: .beginning)
    var records: [ConsumedRecord] = []
    while true {
      let isDone = await reader.hasReached(extents)
      let some = try await reader.take()
      records += some
      guard some.isEmpty else { continue }
      if isDone { break }
      await signal.wait()
    }
    await reader.close()
    return records.sorted { ($0.partition, $0.offset) < ($1.partition, $1.offset) }
  }
}

extension ConsumedRecord {
  func header(_ name: String) -> String? {
    headers.last { $0.name == name }?.value.map { String(decoding: $0, as: UTF8.self) }
  }
}
