import FoundationEssentials
import JSON
import Kafka
import Messages
import Telemetry
import Testing

@testable import Monitoring
@testable import TubelineCLI

@Suite("Cancelling, and the status of an installation", .timeLimit(.minutes(1)))
struct ControlCommandTests: BrokerTests {
  private func request(_ id: String) -> ProducerRecord {
    ProducerRecord(topic: "channel-requests", value: Array("{\"requestId\":\"\(id)\",\"channel\":\"@\(id)\"}".utf8))
  }

  private func event(_ kind: RequestEvent.Kind, _ id: String) -> ProducerRecord {
    let event = RequestEvent(requestID: id, kind: kind, stage: .videos, at: Timestamp.rfc3339(Date()))
    return ProducerRecord(topic: "request-events", key: Array(id.utf8), value: event.bytes)
  }

  /// What a topic holds, in the order of its partitions.
  private func contents(_ topic: String, _ servers: String) async throws -> [ConsumedRecord] {
    let signal = Signal()
    let reader = try TopicReader(configuration: KafkaConfiguration(bootstrapServers: servers), logger: .silent, signal: signal)
    let extents = try await reader.open((0..<3).map { TopicPartition(topic: topic, partition: $0) }, from: .beginning)
    var records: [ConsumedRecord] = []
    while await !reader.hasReached(extents) {
      records += try await reader.take()
      if await !reader.hasReached(extents) { await signal.wait() }
    }
    await reader.close()
    return records
  }

  @Test func onlyRequestsThatAreUnderWayAreCancelled() async throws {
    try await withBroker { servers in
      try await send([request("waits"), request("done"), event(.resolved, "runs"), event(.completed, "done")], servers)
      let result = try await run(CancelCommand.self, ["waits", "done", "never", "runs", "waits", "--bootstrap-servers", servers])
      #expect(result.code == .incomplete && result.output == "waits\nruns\n")
      #expect(result.messages.contains("done: has ended already: completed") && result.messages.contains("never: no such request"))
      let orders = try await contents("request-control", servers)
      #expect(Set(orders.compactMap { $0.key.map { String(decoding: $0, as: UTF8.self) } }) == ["waits", "runs"] && orders.count == 2)
      for order in orders {
        #expect(try RequestControl(json: JSONDocument.parse(order.value ?? []).root).order == .cancel)
        #expect(order.headers.contains { $0.name == "ce_type" && $0.value == Array("tubeline.request-control.v1".utf8) })
      }
      let forced = try await run(CancelCommand.self, ["never", "done", "--force", "--bootstrap-servers", servers])
      #expect(forced.code == .done && forced.output == "never\ndone\n")
    }
  }

  @Test(arguments: [[], [""], [String(repeating: "x", count: 257)], ["r", "--timeout", "5s"], ["r", "--wait", "--timeout", "soon"]])
  func aCommandLineThatMakesNoSenseIsRefused(arguments: [String]) async throws {
    await #expect(throws: UsageError.self) { try await run(CancelCommand.self, arguments) }
  }

  @Test func waitingEndsWithTheLastEventOrAtTheTimeout() async throws {
    try await withBroker { servers in
      try await send([request("a"), request("b")], servers)
      async let waiting = run(CancelCommand.self, ["a", "b", "--wait", "--timeout", "30s", "--bootstrap-servers", servers])
      try await orders(2, servers)
      try await send([event(.cancelled, "a"), event(.completed, "b")], servers)
      let waited = try await waiting
      #expect(waited.code == .done && waited.output == "a\nb\n")
      #expect(waited.messages.contains("a: cancelled") && waited.messages.contains("b: completed"))
      try await send([request("c")], servers)
      let late = try await run(CancelCommand.self, ["c", "--wait", "--timeout", "300ms", "--bootstrap-servers", servers])
      #expect(late.code == .incomplete && late.output == "c\n" && late.messages.contains("c: has not ended"))
    }
  }

  /// Returns when so many orders were published.
  private func orders(_ count: Int, _ servers: String) async throws {
    let signal = Signal()
    let reader = try TopicReader(configuration: KafkaConfiguration(bootstrapServers: servers), logger: .silent, signal: signal)
    _ = try await reader.open((0..<3).map { TopicPartition(topic: "request-control", partition: $0) }, from: .beginning)
    var seen = 0
    while seen < count {
      seen += try await reader.take().count
      if seen < count { await signal.wait() }
    }
    await reader.close()
  }

  private func status(_ servers: String, _ arguments: String...) async throws -> (code: ExitCode, json: JSONTree, messages: String) {
    let store = FileManager.default.temporaryDirectory.path() + "/tubeline-status-\(UUID().uuidString).db"
    defer { try? FileManager.default.removeItem(atPath: store) }
    let result = try await run(
      StatusCommand.self, arguments + ["--format", "json", "--quota-store", "sqlite://\(store)", "--bootstrap-servers", servers])
    return (result.code, try JSONTree.parse(Array(result.output.utf8)), result.messages)
  }

  @Test func theStatusTellsRequestsBacklogWorkersAndQuota() async throws {
    try await withBroker { servers in
      var report = WorkerReport(stage: .channels, worker: "w", at: Timestamp.rfc3339(Date()))
      report.partitions = 6
      report.outage = "503"
      try await send(
        [request("waits"), request("done"), event(.completed, "done"), event(.page, "runs")]
          + [ProducerRecord(topic: "search-requests", value: Array(#"{"requestId":"search","query":"x"}"#.utf8))]
          + [ProducerRecord(topic: "worker-status", key: Array(report.key.utf8), value: report.bytes)]
          + (0..<5).map { ProducerRecord(topic: "playlist-pages", value: [UInt8($0)]) }
          + [ProducerRecord(topic: "videos-dead", value: [1])], servers)
      try await commit("tubeline-videos", servers)
      let (code, json, messages) = try await status(servers)
      #expect(code == .done && messages.isEmpty, "\(messages)")
      let states = Dictionary((json["requests"]?.elements ?? []).map { ($0["request"]?.string ?? "", $0["state"]?.string) }) { $1 }
      #expect(states == ["waits": "waiting", "done": "completed", "runs": "running", "search": "waiting"])
      let stages = json["stages"]?.elements ?? []
      #expect(stages.map { $0["stage"]?.string } == ["search", "channels", "playlists", "videos"])
      let channels = stages.dropFirst().first
      #expect(stages.first?["lag"] == 1 && channels?["lag"] == 2 && channels?["members"] == 1 && channels?["assigned"] == 6)
      #expect(channels?["workers"]?.elements?.first?["state"] == "breakerOpen")
      #expect(stages.last?["lag"] == 3 && stages.last?["deadLetters"] == 1, "two pages are committed")
      #expect(json["quota"]?.elements?.first?["remaining"] == 10_000)
      let active = try await status(servers, "--active", "--limit", "1").json["requests"]?.elements
      #expect(active?.count == 1 && active?.first?["state"]?.string != "completed")
    }
  }

  /// The embedded broker takes any offset of any group.
  private func commit(_ group: String, _ servers: String) async throws {
    let consumer = try Consumer(
      configuration: KafkaConfiguration(bootstrapServers: servers), groupID: group, clientID: "t", logger: .silent, wake: {})
    var left: Int64 = 2
    var offsets: [Kafka.TopicPartition: Int64] = [:]
    for number in 0..<3 {
      let partition = Kafka.TopicPartition(topic: "playlist-pages", partition: Int32(number))
      let end = try await consumer.watermarks(partition).upperBound
      offsets[partition] = min(left, end)
      left -= min(left, end)
    }
    try await consumer.commit(offsets)
    await consumer.close()
  }

  @Test func aRequestThatIsToEndSaysSo() async throws {
    try await withBroker { servers in
      try await send([request("a"), request("b"), event(.completed, "b")], servers)
      for id in ["a", "b", "never"] {
        let code = try await run(CancelCommand.self, [id, "--force", "--bootstrap-servers", servers]).code
        #expect(code == .done)
      }
      let requests = try await status(servers).json["requests"]?.elements ?? []
      #expect(requests.count == 2 && requests.allSatisfy { $0["cancelRequestedAt"]?.string != nil })
      let table = try await run(StatusCommand.self, ["--quota-store", "memory:", "--bootstrap-servers", servers]).output
      #expect(table.contains(" cancelling ") && table.contains(" completed "), "\(table)")
    }
  }

  @Test func aRequestThatNobodyKnowsIsTold() async throws {
    try await withBroker { servers in
      try await send([event(.failed, "known")], servers)
      let (code, json, messages) = try await status(servers, "known", "never")
      #expect(code == .incomplete && messages.contains("never: no such request is known"))
      #expect(json["requests"]?.elements?.map { $0["request"]?.string } == ["known"] && json["unknown"] == ["never"])
      let table = try await run(StatusCommand.self, ["never", "nor", "--quota-store", "memory:", "--bootstrap-servers", servers])
      #expect(table.code == .incomplete && table.output.isEmpty, "\(table.output)")
      #expect(table.messages == "never: no such request is known.\nnor: no such request is known.\n")
    }
  }
}
