import Synchronization
import Telemetry
import Testing

@testable import Kafka

/// What TLS and SASL settings become inside the library.
@Suite(.timeLimit(.minutes(1)))
struct SecurityTests {
  private static let secret = "hunter2-very-secret"
  private static let sasl = ["sasl.mechanism": "PLAIN", "sasl.username": "worker", "sasl.password": secret]

  /// The library is told to say all that it does, and sends the password to a broker that refuses it.
  @Test(arguments: ["PLAIN", "SCRAM-SHA-512"])
  func aRefusedPasswordIsToldOfWithoutIt(mechanism: String) async throws {
    let lines = Mutex<[String]>([])
    let (refusals, refusal) = AsyncStream.makeStream(of: Void.self)
    let logger = Logger(label: "test", level: .debug) { entry in
      lines.withLock { $0.append("\(entry.metadata)") }
      if entry.level >= .warning && "\(entry.metadata)".contains(RefusingBroker.refusal) { refusal.yield() }
    }
    let broker = try RefusingBroker()
    defer { broker.close() }
    var properties = Self.sasl.merging(["security.protocol": "sasl_plaintext", "debug": "all"]) { $1 }
    properties["sasl.mechanism"] = mechanism
    let configuration = KafkaConfiguration(bootstrapServers: "127.0.0.1:\(broker.port)", properties: properties)
    let producer = try Producer(configuration: configuration, clientID: "p", logger: logger)
    for await _ in refusals { break }
    await producer.close(flushTimeout: .zero)
    let wasSent = broker.bytes.firstRange(of: Array(Self.secret.utf8)) != nil
    #expect(wasSent == (mechanism == "PLAIN"))
    let all = lines.withLock { $0 }
    #expect(all.count > 20 && !all.contains { $0.contains(Self.secret) })
  }

  @Test(arguments: [
    ["security.protocol": "ssl", "ssl.cipher.suites": "NOPE"], ["security.protocol": "ssl", "ssl.ca.location": "/etc/hostname"],
    ["security.protocol": "ssl", "ssl.key.location": "/etc/hostname", "ssl.certificate.location": "/etc/hostname"],
    ["security.protocol": "ssl", "ssl.keystore.location": "/etc/hostname", "ssl.keystore.password": secret],
  ])
  func whatTheLibraryRefusesIsNamedWithoutSecrets(properties: [String: String]) throws {
    let configuration = KafkaConfiguration(bootstrapServers: "localhost:1", properties: properties)
    let error = try #require(throws: KafkaConfigurationError.self) {
      _ = try Producer(configuration: configuration, clientID: "test", logger: .silent)
    }
    #expect("\(error)".contains("ssl.") && !"\(error)".contains(Self.secret), "\(error)")
  }

  @Test func oneSecretInsideAnotherLeavesNoRest() {
    let configuration = KafkaConfiguration(
      bootstrapServers: "localhost:1", properties: ["sasl.password": Self.secret, "ssl.key.password": Self.secret + "-longer"])
    #expect(configuration.redactor("a \(Self.secret)-longer b \(Self.secret) c") == "a *** b *** c")
  }
}
