import Kafka
import Synchronization
import Telemetry
import Testing

@testable import WorkerApp

@Suite("Notice of a broker that is away", .timeLimit(.minutes(1)))
struct BrokerNoticeTests {
  /// What is said until the first notice, or the end.
  private func notices(_ servers: String, isConnected: Bool = false, timeout: Duration = .milliseconds(50)) async -> [LogEntry] {
    let entries = Mutex<[LogEntry]>([])
    let (said, say) = AsyncStream.makeStream(of: Void.self)
    let logger = Logger(label: "test") { entry in
      entries.withLock { $0.append(entry) }
      say.finish()
    }
    let notice = Task {
      await BrokerNotice(
        kafka: KafkaConfiguration(bootstrapServers: servers), clientID: "test", logger: logger, patience: .milliseconds(50),
        timeout: timeout
      ).run { isConnected }
      say.finish()
    }
    for await _ in said {}
    notice.cancel()
    await notice.value
    return entries.withLock { $0 }
  }

  // Port 1 belongs to a service that nobody runs.
  @Test func itNamesTheServersAndTheSetting() async throws {
    let entry = try #require(await notices("127.0.0.1:1").first)
    #expect(entry.level == .warning && entry.message.contains("KAFKA_BOOTSTRAP_SERVERS"))
    #expect(entry.metadata.contains { $0.key == "kafka.bootstrap_servers" && $0.value == "127.0.0.1:1" })
  }

  @Test func nothingIsSaidWhereABrokerAnswers() async throws {
    let cluster = try MockCluster()
    #expect(await notices(cluster.bootstrapServers, timeout: .seconds(30)).isEmpty)
    await cluster.close()
    #expect(await notices("127.0.0.1:1", isConnected: true).isEmpty)
  }
}
