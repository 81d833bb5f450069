import Glibc
import Kafka
import Telemetry
import Testing

/// The cluster that integration tests run on: a mock of their own, or the real one at TEST_KAFKA (host:port).
struct TestCluster {
  let mock: MockCluster?
  let configuration: KafkaConfiguration
  private var prefix = "t\(UInt32.random(in: 0 ... .max))-"

  static let realServers = getenv("TEST_KAFKA").map { String(cString: $0) }

  init(properties: [String: String] = [:]) throws {
    if let servers = Self.realServers {
      mock = nil
      configuration = KafkaConfiguration(bootstrapServers: servers, properties: properties)
    } else {
      self = try .mock(properties: properties)
    }
  }

  private init(mock: MockCluster, properties: [String: String]) {
    self.mock = mock
    configuration = KafkaConfiguration(bootstrapServers: mock.bootstrapServers, properties: properties)
  }

  /// For tests that inject faults.
  static func mock(brokers: Int = 1, properties: [String: String] = [:]) throws -> TestCluster {
    TestCluster(mock: try MockCluster(brokers: brokers), properties: properties)
  }

  /// A topic or group that no other test has.
  func name(_ name: String) -> String { prefix + name }

  func createTopic(_ base: String, partitions: Int = 1) async throws -> String {
    let topic = name(base)
    if let mock {
      try mock.createTopic(topic, partitions: partitions)
    } else {
      let admin = try Admin(configuration: configuration, clientID: "test", logger: .silent)
      let outcome = try await admin.createTopics([NewTopic(name: topic, partitions: partitions, replicationFactor: 1)])
      await admin.close()
      #expect(outcome == [topic: .created])
    }
    return topic
  }

  func producer(_ properties: [String: String] = [:]) throws -> Producer {
    try Producer(configuration: with(properties), clientID: "test", logger: .silent)
  }

  func consumer(group: String? = nil, instanceID: String? = nil, _ properties: [String: String] = [:]) throws -> ConsumerProbe {
    try ConsumerProbe(configuration: with(properties), groupID: group ?? name("group"), instanceID: instanceID)
  }

  func transactionalProducer(_ id: String, _ properties: [String: String] = [:]) throws -> TransactionalProducer {
    try TransactionalProducer(configuration: with(properties), transactionalID: name(id), clientID: "test", logger: .silent)
  }

  private func with(_ properties: [String: String]) -> KafkaConfiguration {
    var configuration = configuration
    configuration.properties.merge(properties) { $1 }
    return configuration
  }
}

extension Trait where Self == ConditionTrait {
  /// What the mock cluster cannot do runs on a real one only, and says so when there is none.
  static var realCluster: Self {
    if TestCluster.realServers == nil {
      print("SKIPPED: a test of a real Kafka cluster. Set TEST_KAFKA=host:port to run it.")
    }
    return .enabled(if: TestCluster.realServers != nil, "needs a real Kafka cluster: set TEST_KAFKA=host:port")
  }
}
