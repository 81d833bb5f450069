import FoundationEssentials
import Kafka
import Synchronization
import Telemetry

@testable import TubelineCLI

/// Tests that run commands against a broker.
protocol BrokerTests {}

extension BrokerTests {
  /// Runs a command and gives back its exit code, its standard output and its messages.
  func run(_ command: any Command.Type, _ arguments: [String]) async throws -> (code: ExitCode, output: String, messages: String) {
    let path = FileManager.default.temporaryDirectory.path() + "/tubeline-cli-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let output = try ByteOutput(path: path)
    let box = MessageBox()
    let parsed = try command.specification.parser.parse(arguments)
    let invocation = Invocation(
      arguments: parsed, environment: [:], output: output, messages: MessageOutput(isTerminal: false) { box.append($0) })
    let code = try await command.run(invocation)
    try output.close()
    let bytes = FileManager.default.contents(atPath: path) ?? Data()
    return (code, String(decoding: bytes, as: UTF8.self), box.text)
  }

  func withBroker(_ body: (String) async throws -> Void) async throws {
    let cluster = try await EmbeddedBroker.start(partitions: 3)
    try await body(cluster.bootstrapServers)
    await cluster.close()
  }

  func send(_ records: [ProducerRecord], _ servers: String) async throws {
    let producer = try Producer(
      configuration: KafkaConfiguration(bootstrapServers: servers), clientID: "test", logger: .silent)
    try await producer.send(records)
    await producer.close()
  }
}

private final class MessageBox: Sendable {
  private let lines = Mutex("")

  func append(_ line: String) { lines.withLock { $0 += line } }
  var text: String { lines.withLock { $0 } }
}
