import FoundationEssentials
import JSON
import Kafka
import Messages
import Telemetry
import Testing
import WorkerApp

@testable import Monitoring
@testable import TubelineCLI

@Suite("Commands on the embedded broker", .timeLimit(.minutes(1)))
struct MockClusterTests: BrokerTests {
  @Test func publishedRequestsCarryKeyHeadersAndTheGivenOptions() async throws {
    try await withBroker { servers in
      let published = try await run(
        PublishCommand.self, ["Apple", "@Google", "--max-videos=5", "--no-enrich", "--bootstrap-servers", servers])
      #expect(published.code == .done)
      let ids = published.output.split(separator: "\n").map(String.init)
      #expect(ids.count == 2 && Set(ids).count == 2)
      let signal = Signal()
      let configuration = KafkaConfiguration(bootstrapServers: servers)
      let reader = try TopicReader(configuration: configuration, logger: .silent, signal: signal)
      let extents = try await reader.open((0..<3).map { TopicPartition(topic: "channel-requests", partition: $0) }, from: .beginning)
      var records: [ConsumedRecord] = []
      while await !reader.hasReached(extents) {
        records += try await reader.take()
        if await !reader.hasReached(extents) { await signal.wait() }
      }
      await reader.close()
      let keys = records.compactMap { $0.key.map { String(decoding: $0, as: UTF8.self) } }
      #expect(Set(keys) == ["apple", "@google"])
      for record in records {
        let request = try ChannelRequest(value: record.value)
        #expect(request.options.maxVideos == 5 && !request.options.enrich)
        #expect(ids.contains(request.requestID ?? ""))
        #expect(record.headers.contains { $0.name == "traceparent" } && record.headers.contains { $0.name == "ce_id" })
      }
    }
  }

  @Test func nothingIsPublishedWhenANameIsUnusable() async throws {
    try await withBroker { servers in
      let refused = try await run(PublishCommand.self, ["Apple", "https://vimeo.com/1", "--bootstrap-servers", servers])
      #expect(refused.code == .usage && refused.output.isEmpty)
      let skipped = try await run(PublishCommand.self, ["Apple", "https://vimeo.com/1", "--skip-invalid", "--bootstrap-servers", servers])
      #expect(skipped.code == .incomplete && skipped.output.split(separator: "\n").count == 1)
    }
  }

  @Test func videosStopAtTheEndAndFilterByRequest() async throws {
    try await withBroker { servers in
      let empty = try await run(VideosCommand.self, ["--end", "--format", "csv", "--bootstrap-servers", servers])
      #expect(empty.code == .done && empty.output.split(separator: "\r\n").count == 1)
      try await send(
        (0..<1200).map { number in
          ProducerRecord(
            topic: "video-records", key: Array("v\(number)".utf8),
            value: Array("{\"videoId\":\"v\(number)\",\"requestId\":\"r-\(number % 2)\"}".utf8))
        } + [
          ProducerRecord(topic: "video-records", key: Array("v1".utf8), value: nil),
          ProducerRecord(topic: "video-records", key: Array("v2".utf8), value: Array("no json".utf8)),
        ], servers)
      let all = try await run(VideosCommand.self, ["--end", "--bootstrap-servers", servers])
      #expect(all.output.split(separator: "\n").count == 1201)
      #expect(all.output.contains("{\"videoId\":\"v1\",\"tombstone\":true}\n"))
      #expect(all.messages.contains("1 message is no JSON"))
      let half = try await run(VideosCommand.self, ["--end", "--request", "r-1", "--bootstrap-servers", servers])
      #expect(half.output.split(separator: "\n").count == 600)
      #expect(!half.messages.contains("Nothing was found"))
      let none = try await run(VideosCommand.self, ["--end", "--request", "nope", "--bootstrap-servers", servers])
      #expect(none.code == .done && none.output.isEmpty)
      #expect(none.messages.contains("Nothing was found of request \"nope\" in video-records."))
      let few = try await run(VideosCommand.self, ["--limit=7", "--bootstrap-servers", servers])
      #expect(few.output.split(separator: "\n").count == 7)
    }
  }

  // Port 1 belongs to a service that nobody runs: unlike a port that was let go, no other test gets it.
  @Test func aBrokerThatDoesNotAnswerIsNamedInWordsThatHelp() async throws {
    let servers = "127.0.0.1:1"
    let admin = try Admin(configuration: KafkaConfiguration(bootstrapServers: servers), clientID: "test", logger: .silent)
    let error = await #expect(throws: CommandError.self) { try await admin.cluster(at: servers, timeout: .milliseconds(300)) }
    let description = try #require(error?.description)
    #expect(description.hasPrefix("No broker answers at \(servers)") && !description.contains("_T"), "\(description)")
    #expect(description.hasSuffix("Is it running, and is KAFKA_BOOTSTRAP_SERVERS or --bootstrap-servers right?"), "\(description)")
    await admin.close()
  }

  @Test func theBrokerSaysWhatWorkersNeed() {
    let plain = BrokerCommand.ready("127.0.0.1:1", prefix: "")
    #expect(
      plain.hasPrefix(
        "export KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:1 WORKER_GUARANTEE=at-least-once KAFKA_SESSION_TIMEOUT_MS=6000\n"))
    #expect(BrokerCommand.ready("127.0.0.1:1", prefix: "a-").contains(" TOPIC_PREFIX=a- "))
  }

  @Test func missingTopicsAreNamedAndCanBeCreated() async throws {
    try await withBroker { servers in
      let before = try await run(
        TopicsDescribeCommand.self, ["--format", "json", "--topic-prefix", "x-", "--bootstrap-servers", servers])
      #expect(before.code == .incomplete && before.output.contains("{\"topic\":\"x-video-records\",\"exists\":false}"))
      await #expect(throws: CommandError.self) {
        try await run(VideosCommand.self, ["--end", "--topic-prefix", "x-", "--bootstrap-servers", servers])
      }
      let created = try await run(TopicsCreateCommand.self, ["--topic-prefix", "x-", "--bootstrap-servers", servers])
      #expect(created.code == .done && created.output.split(separator: "\n").allSatisfy { $0.hasSuffix("\tcreated") })
      let again = try await run(TopicsCreateCommand.self, ["--topic-prefix", "x-", "--bootstrap-servers", servers])
      #expect(again.output.split(separator: "\n").allSatisfy { $0.hasSuffix("\texists") })
    }
  }
}
