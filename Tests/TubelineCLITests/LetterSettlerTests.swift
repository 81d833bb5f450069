import Kafka
import Messages
import Telemetry
import Testing

@testable import Monitoring
@testable import TubelineCLI

/// The two ways of publishing, and what an interruption leaves behind.
@Suite("Settling letters", .timeLimit(.minutes(2)))
struct LetterSettlerTests {
  private func settling(_ scene: DeadLetterScene, offset: Int64, value: [UInt8] = [1]) throws -> LetterSettling {
    let record = scene.letter(.playlists, value: value)
    let message = ReceivedMessage(
      source: Messages.TopicPartition(topic: record.topic, partition: 0), offset: offset, key: record.key, value: value,
      headers: record.headers.map { MessageHeader($0.name, $0.value) })
    let letter = DeadLetterRecord(
      id: DeadLetterID(stage: .playlists, partition: 0, offset: offset), message: message, settlement: nil)
    return try .replaying(letter, inputs: [scene.prefix + "playlist-requests"], at: "2026-11-30T07:00:00Z")
  }

  /// On the embedded broker, where the two are no transaction.
  @Test(.enabled(if: DeadLetterScene.realServers == nil)) func whatWasPublishedWithoutItsMarkIsPublishedAgain() async throws {
    try await DeadLetterScene.with { scene in
      try await scene.send(scene.letter(.playlists))
      try await scene.send(try #require(settling(scene, offset: 0).replay))
      #expect(try await scene.command(DeadLettersReplayCommand.self, "--all").output.hasPrefix("playlists-0-0\t"))
      #expect(try await scene.records(.playlistRequests).count == 2)
    }
  }

  @Test func aLetterTooLargeKeepsNoOtherBack() async throws {
    try await DeadLetterScene.with { scene in
      let settler = try TransactionalLetterSettler(kafka: scene.kafka, prefix: scene.prefix)
      try await settler.prepare()
      let large = [UInt8](repeating: 0x20, count: 3_000_000)
      let failures = try await settler.settle([
        settling(scene, offset: 0), settling(scene, offset: 1, value: large), settling(scene, offset: 2, value: [3]),
      ])
      #expect(failures.keys.map(\.offset) == [1])
      #expect(failures.values.first?.hasPrefix("MSG_SIZE_TOO_LARGE") == true, "\(failures)")
      let values = Set(try await scene.records(.playlistRequests).map(\.value))
      #expect(values == [[1], [3]])
      await settler.close()
    }
  }

  // 26 is EndTxn; 47 INVALID_PRODUCER_EPOCH, 90 PRODUCER_FENCED.
  @Test(.enabled(if: DeadLetterScene.realServers == nil), arguments: [Int32(47), 90])
  func aRunThatWasTakenOverSaysSo(code: Int32) async throws {
    let cluster = try await EmbeddedBroker.start(partitions: 2)
    let scene = DeadLetterScene(servers: cluster.bootstrapServers, prefix: "")
    let settler = try TransactionalLetterSettler(kafka: scene.kafka, prefix: "")
    try await settler.prepare()
    try cluster.pushErrors(apiKey: 26, [code])
    let error = await #expect(throws: CommandError.self) { try await settler.settle([settling(scene, offset: 0)]) }
    #expect(error?.description.hasPrefix("Another run of dead-letters has taken over.") == true, "\(String(describing: error))")
    await settler.close()
    await cluster.close()
  }

  // 29 TOPIC_AUTHORIZATION_FAILED on AddPartitionsToTxn makes a transaction abortable.
  @Test(.enabled(if: DeadLetterScene.realServers == nil)) func anAbortedTransactionIsTriedLetterByLetter() async throws {
    let cluster = try await EmbeddedBroker.start(partitions: 2)
    let scene = DeadLetterScene(servers: cluster.bootstrapServers, prefix: "")
    let settler = try TransactionalLetterSettler(kafka: scene.kafka, prefix: "")
    try await settler.prepare()
    try cluster.pushErrors(apiKey: 24, [29])
    #expect(try await settler.settle([settling(scene, offset: 0), settling(scene, offset: 1)]).isEmpty)
    try cluster.pushErrors(apiKey: 24, [29])
    #expect(try await settler.settle([settling(scene, offset: 2)]).keys.map(\.offset) == [2])
    await settler.close()
    await cluster.close()
  }

  /// Its settlement cannot be read before the transaction ends that was open on the partition; the broker ends it after five seconds.
  @Test(.realCluster) func aLetterSettledBehindAnOpenTransactionIsNotReplayedAgain() async throws {
    try await DeadLetterScene.with { scene in
      try await scene.send(scene.letter(.playlists))
      var kafka = scene.kafka
      kafka.properties["transaction.timeout.ms"] = "5000"
      let worker = try TransactionalProducer(
        configuration: kafka, transactionalID: scene.prefix + "worker", clientID: "worker", logger: .silent)
      try await worker.initialise()
      try await worker.begin()
      try await worker.send([scene.letter(.playlists)])
      let settler = try TransactionalLetterSettler(kafka: scene.kafka, prefix: scene.prefix)
      try await settler.prepare()
      #expect(try await settler.settle([settling(scene, offset: 0)]).isEmpty)
      await settler.close()
      let replay = try await scene.command(DeadLettersReplayCommand.self, "--all")
      #expect(replay.output.isEmpty && replay.messages.contains("Waiting for the end of transactions"), "\(replay)")
      #expect(try await scene.records(.playlistRequests).count == 1)
      await worker.close()
    }
  }

  @Test(.realCluster) func anInterruptedTransactionIsUndoneAndItsLetterReplayedOnce() async throws {
    try await DeadLetterScene.with { scene in
      try await scene.send(scene.letter(.playlists))
      let killed = try TransactionalProducer(
        configuration: scene.kafka, transactionalID: scene.prefix + "tubeline-dead-letters", clientID: "killed", logger: .silent)
      try await killed.initialise()
      try await killed.begin()
      let settling = try settling(scene, offset: 0)
      try await killed.send([try #require(settling.replay), settling.settlement])
      let replay = try await scene.command(DeadLettersReplayCommand.self, "--all")
      #expect(replay.code == .done && replay.output.hasPrefix("playlists-0-0\t"))
      let fenced = await #expect(throws: KafkaError.self) { try await killed.commit() }
      #expect(fenced?.isFatal == true)
      #expect(try await scene.records(.playlistRequests).count == 1, "read_committed sees one")
      #expect(try await scene.command(DeadLettersReplayCommand.self, "--all").output.isEmpty)
      await killed.close()
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// What the embedded broker cannot do runs on a real cluster only, and says so when there is none.
  fileprivate static var realCluster: Self {
    if DeadLetterScene.realServers == nil { print("SKIPPED: a test of a real Kafka cluster. Set TEST_KAFKA=host:port to run it.") }
    return .enabled(if: DeadLetterScene.realServers != nil, "needs a real Kafka cluster: set TEST_KAFKA=host:port")
  }
}
