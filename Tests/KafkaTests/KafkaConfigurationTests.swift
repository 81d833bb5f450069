import Kafka
import Synchronization
import Telemetry
import Testing

@Suite(.timeLimit(.minutes(1)))
struct KafkaConfigurationTests {
  @Test func mapsEveryEnvironmentVariableToItsProperty() {
    let properties = KafkaConfiguration.properties(fromEnvironment: [
      "KAFKA_SECURITY_PROTOCOL": "ssl", "KAFKA_BOOTSTRAP_SERVERS": "a:1", "KAFKA_MAX_POLL_INTERVAL_MS": "10000", "PATH": "/bin",
    ])
    #expect(properties == ["security.protocol": "ssl", "bootstrap.servers": "a:1", "max.poll.interval.ms": "10000"])
    #expect(KafkaConfiguration.environmentVariable(of: "max.poll.interval.ms") == "KAFKA_MAX_POLL_INTERVAL_MS")
  }

  @Test func ignoresWhatKubernetesInjectsForAServiceNamedKafka() {
    let properties = KafkaConfiguration.properties(fromEnvironment: [
      "KAFKA_SERVICE_HOST": "10.0.0.1", "KAFKA_SERVICE_PORT": "9092", "KAFKA_SERVICE_PORT_CLIENT": "9092",
      "KAFKA_PORT": "tcp://10.0.0.1:9092",
      "KAFKA_PORT_9092_TCP_ADDR": "10.0.0.1",
    ])
    #expect(properties.isEmpty)
  }

  @Test(arguments: [
    (["no.such.property": "1"], "no.such.property", "KAFKA_NO_SUCH_PROPERTY"),
    (["linger.ms": "soon"], "linger.ms", "KAFKA_LINGER_MS"),
    (["acks": "1\u{0}2"], "acks", "KAFKA_ACKS"),
    (["security.protocol": "carrier-pigeon"], "security.protocol", "KAFKA_SECURITY_PROTOCOL"),
    (["dr_cb": "x"], "dr_cb", "KAFKA_DR_CB"),
  ])
  func aBadPropertyIsNamedTogetherWithItsVariable(properties: [String: String], property: String, variable: String) throws {
    let configuration = KafkaConfiguration(bootstrapServers: "localhost:9092", properties: properties)
    let error = try #require(throws: KafkaConfigurationError.self) { try configuration.validate() }
    #expect(error.property == property)
    #expect(error.environmentVariable == variable)
    #expect("\(error)".contains(property) && "\(error)".contains(variable))
  }

  @Test(arguments: ["", "  "])
  func emptyBootstrapServersAreRefused(servers: String) throws {
    let error = try #require(throws: KafkaConfigurationError.self) { try KafkaConfiguration(bootstrapServers: servers).validate() }
    #expect(error.property == "bootstrap.servers")
  }

  @Test func valuesOfSecretsAppearNowhere() throws {
    let secret = "hunter2-very-secret"
    var configuration = KafkaConfiguration(
      bootstrapServers: "localhost:9092",
      properties: ["sasl.password": secret, "ssl.key.password": secret, "ssl.keystore.password": secret, "client.rack": "r1"])
    try configuration.validate()
    #expect(!"\(configuration)".contains(secret) && "\(configuration)".contains("client.rack=r1"))
    #expect(!String(reflecting: configuration).contains(secret))
    var dumped = ""
    dump(configuration, to: &dumped)
    #expect(!dumped.contains(secret))
    configuration.properties["ssl.key.pem"] = secret
    configuration.properties["security.protocol"] = "ssl"
    let error = #expect(throws: KafkaConfigurationError.self) {
      _ = try Producer(configuration: configuration, clientID: "test", logger: .silent)
    }
    #expect(error.map { !"\($0)".contains(secret) } == true)
  }

  @Test func contradictingPropertiesAreAnErrorOfTheClient() {
    let configuration = KafkaConfiguration(
      bootstrapServers: "localhost:9092", properties: ["session.timeout.ms": "60000", "max.poll.interval.ms": "10000"])
    #expect(throws: KafkaConfigurationError.self) {
      _ = try Consumer(configuration: configuration, groupID: "g", clientID: "test", logger: .silent, wake: {})
    }
  }

  @Test func aLongSessionNeedsNoSecondSetting() async throws {
    let configuration = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", properties: ["session.timeout.ms": "90000"])
    let consumer = try Consumer(configuration: configuration, groupID: "g", clientID: "test", logger: .silent, wake: {})
    await consumer.close()
  }

  @Test func aPropertyOfTheOtherSideIsLeftOutInSilence() async throws {
    let lines = Mutex<[String]>([])
    let logger = Logger(label: "test", level: .debug) { entry in lines.withLock { $0.append("\(entry.metadata)") } }
    let cluster = try MockCluster()
    let configuration = KafkaConfiguration(
      bootstrapServers: cluster.bootstrapServers,
      properties: ["max.poll.interval.ms": "10000", "session.timeout.ms": "6000", "linger.ms": "1", "auto.offset.reset": "earliest"])
    let producer = try Producer(configuration: configuration, clientID: "p", logger: logger)
    let consumer = try Consumer(configuration: configuration, groupID: "g", clientID: "c", logger: logger, wake: {})
    let transactional = try TransactionalProducer(configuration: configuration, transactionalID: "t", clientID: "t", logger: logger)
    await producer.close()
    await consumer.close()
    await transactional.close()
    #expect(lines.withLock { $0.filter { $0.contains("CONFWARN") } } == [])
  }

  // Both at once would be refused or would depend on their order.
  @Test(arguments: [
    ["compression.codec": "gzip"], ["compression.type": "gzip"], ["request.required.acks": "-1"], ["delivery.timeout.ms": "9000"],
  ])
  func anAliasReplacesTheDefault(properties: [String: String]) async throws {
    let configuration = KafkaConfiguration(bootstrapServers: "localhost:1", properties: properties)
    let producer = try Producer(configuration: configuration, clientID: "p", logger: .silent)
    await producer.close(flushTimeout: .zero)
  }
}
