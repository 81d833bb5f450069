import Foundation
import Glibc
import JSON
import Kafka
import Messages
import TestSupport
import Testing

extension EndToEndTests {
  /// What only a real cluster can show (TEST_KAFKA): policies, compaction, retention, transaction markers, fencing.
  @Suite(.serialized, .realCluster, .timeLimit(.minutes(5)))
  struct ClusterTests {
    @Test(.world()) func topicsAreCreatedOnceWithTheirPolicies() async throws {
      let world = try World.current
      // The world has created them before.
      let again = try world.start("tubeline", ["topics", "create", "--partitions", "4"])
      #expect(try await again.ended(within: .seconds(60)) == .exited(0), "\(again.tail())")
      let names = Topic.all.map { world.prefix + $0.topic.name }
      try await Self.withAdmin { admin in
        let configurations = try await admin.topicConfigurations(names)
        for plan in Topic.all {
          let entries = configurations[world.prefix + plan.topic.name] ?? []
          for (name, value) in plan.configuration {
            #expect(entries.first { $0.name == name }?.value == value, "\(plan.topic): \(name)")
          }
        }
        let topics = try await admin.describeCluster().topics.filter { names.contains($0.name) }
        #expect(topics.count == names.count && topics.allSatisfy { $0.partitions.count == 4 })
      }
    }

    /// The broker's cleaner looks every 15 seconds, and never at the segment that is written to.
    @Test(.world()) func aCompactedTopicKeepsTheLastRecordOfEachKey() async throws {
      let world = try World.current
      let plan = try #require(Topic.all.first { $0.topic == .videoRecords })
      let quickly = [
        "segment.ms": "100", "min.cleanable.dirty.ratio": "0.001", "max.compaction.lag.ms": "100", "delete.retention.ms": "100",
      ]
      let topic = world.prefix + "compaction"
      let configuration = plan.configuration.merging(quickly) { $1 }
      try await Self.withAdmin { admin in
        let created = try await admin.createTopics([NewTopic(name: topic, partitions: 1, configuration: configuration)])
        #expect(created == [topic: .created])
        for value in ["1", "2", "3"] { try await Self.append("kept", value, to: topic) }
        let deadline = ContinuousClock.now + .seconds(120)
        var values: [String] = []
        for round in 1... where ContinuousClock.now < deadline {
          // An append is what begins the next segment.
          try await Self.append("filler", "\(round)", to: topic)
          values = try await Self.values(of: "kept", in: topic, until: ("filler", "\(round)"))
          if values.count == 1 { break }
        }
        #expect(values == ["3"])
        _ = try await admin.deleteTopics([topic])
      }
    }

    /// Retention has taken messages that no worker had read.
    @Test(.world()) func aGapInTheLogIsToldAndTheRestIsHandled() async throws {
      let world = try World.current
      let port = try FreePort.find()
      func request(_ id: String) async throws {
        try await world.send(Array(#"{"requestId":"\#(id)","channel":"@Apple","scope":"details"}"#.utf8), key: "gap")
      }
      let first = try await world.start(.channels)[0]
      try await request("before")
      #expect(try await world.ending("before")["type"] == "completed")
      first.send(SIGTERM)
      #expect(try await first.ended() == .exited(0))
      for id in ["lost-1", "lost-2"] { try await request(id) }
      try await world.log.caughtUp()
      let source = try #require(world.messages(.channelRequests).last).record
      let partition = Kafka.TopicPartition(topic: source.topic, partition: source.partition)
      try await Self.withAdmin { try await $0.deleteRecords(before: [partition: source.offset + 1]) }
      let second = try await world.start(.channels, settings: ["HTTP_PORT": "\(port)"])[0]
      try await request("after")
      #expect(try await world.ending("after")["type"] == "completed")
      let line = try await second.logged("Messages were deleted before they were read")
      #expect(line.contains("channel-requests"), "\(line)")
      let metrics = try await HTTP.send("GET", "http://127.0.0.1:\(port)/metrics").text
      #expect(metrics.contains("tubeline_log_gaps_total{stage=\"channels\"} 1"), "\(metrics)")
      #expect(world.log.state.read { $0.endings("lost-1") + $0.endings("lost-2") }.isEmpty)
    }

    /// Every transaction ends with a marker in each partition it wrote to, which differences of offsets count as if it waited.
    @Test(.world(.init(workers: 1))) func lagCountsNoTransactionMarkers() async throws {
      let world = try World.current
      let id = try await world.request(["channel": "@Apple"])
      #expect(try await world.ending(id)["type"] == "completed")
      try await world.log.caughtUp()
      let group = world.prefix + StageName.videos.group
      var status: JSONTree?
      let deadline = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < deadline {
        let program = try world.start("tubeline", ["status", "--format", "json"])
        #expect(try await program.ended() == .exited(0), "\(program.tail())")
        status = try JSONTree.parse(Array((program.output.first ?? "").utf8))
        if (status?["stages"]?.elements ?? []).allSatisfy({ $0["lag"] == 0 && $0["retries"] == 0 }) { break }
      }
      let stages = status?["stages"]?.elements ?? []
      #expect(!stages.isEmpty && stages.allSatisfy { $0["lag"] == 0 && $0["retries"] == 0 }, "\(stages)")
      try await Self.withAdmin { admin in
        let pages = try await admin.describeCluster().partitions(of: [world.prefix + Topic.playlistPages.name])
        let committed = try await admin.committed(groupID: group, pages)
        var difference: Int64 = 0
        for (partition, offset) in committed {
          let end = try await admin.watermarks(partition).upperBound
          difference += end - offset
        }
        #expect(difference > 0, "without markers this test shows nothing")
      }
    }

    /// A supervisor that believes the first is dead starts another of the same name.
    @Test(.world()) func aWorkerWhoseNameWasTakenOverEndsAndDoublesNothing() async throws {
      let world = try World.current
      let first = try await world.start(.channels, settings: ["WORKER_ID": "one"])[0]
      let second = try await world.start(.channels, settings: ["WORKER_ID": "one"])[0]
      let ids = try await Self.requests(20)
      #expect(try await first.ended(within: .seconds(60)) == .exited(1))
      #expect(first.log.contains { $0.contains("Cannot go on") }, "\(first.tail())")
      for id in ids { #expect(try await world.ending(id)["type"] == "completed") }
      try await world.log.caughtUp()
      for id in ids { #expect(world.log.state.read { $0.endings(id).count } == 1) }
      #expect(second.isRunning)
    }

    private static func requests(_ count: Int) async throws -> [String] {
      var ids: [String] = []
      for _ in 0..<count { ids.append(try await World.current.request(["channel": "@Apple", "scope": "details"])) }
      return ids
    }

    private static func withAdmin(_ body: (Admin) async throws -> Void) async throws {
      let admin = try Admin(configuration: World.current.kafka, clientID: "test", logger: .silent)
      let result: Result<Void, any Error>
      do { result = .success(try await body(admin)) } catch { result = .failure(error) }
      await admin.close()
      try result.get()
    }

    private static func append(_ key: String, _ value: String, to topic: String) async throws {
      let record = ProducerRecord(topic: topic, partition: 0, key: Array(key.utf8), value: Array(value.utf8))
      try await World.current.producer.send([record])
    }

    /// The values that the log still has of a key, up to the given record.
    private static func values(of key: String, in topic: String, until last: (key: String, value: String)) async throws -> [String] {
      let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let consumer = try Consumer(
        configuration: World.current.kafka, groupID: topic, clientID: "test", logger: .silent, wake: { wake.yield() })
      let partition = Kafka.TopicPartition(topic: topic, partition: 0)
      try await consumer.assign([partition: .beginning])
      var values: [String] = []
      reading: for await _ in wakes {
        _ = consumer.poll()
        for record in consumer.take(from: partition, upTo: 100_000) {
          let pair = (String(decoding: record.key ?? [], as: UTF8.self), String(decoding: record.value ?? [], as: UTF8.self))
          if pair.0 == key { values.append(pair.1) }
          if pair == last { break reading }
        }
      }
      await consumer.close()
      return values
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// What the mock cluster cannot do runs on a real one only, and says so when there is none.
  static var realCluster: Self {
    if World.realServers == nil { print("SKIPPED: tests of a real Kafka cluster. Set TEST_KAFKA=host:port to run them.") }
    return .enabled(if: World.realServers != nil, "needs a real Kafka cluster: set TEST_KAFKA=host:port")
  }
}
