import Foundation
import JSON
import Kafka
import Messages
import TestSupport
import Testing

extension EndToEndTests {
  /// Spans of the real executables, as a collector gets them.
  @Suite(.serialized, .timeLimit(.minutes(3)))
  struct TraceTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let root = "00f067aa0ba902b7"

    private func settings(_ collector: String) -> [String: String] {
      [
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector, "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20MARKEDTOKEN",
        "OTEL_BSP_SCHEDULE_DELAY": "100",
      ]
    }

    private func harvest(_ world: World) async throws -> [SeenMessage] {
      let request: JSONTree = ["requestId": "r-traced", "channel": "@Google", "maxVideos": 120]
      try await world.send(
        request.bytes(), headers: [KafkaHeader(name: "traceparent", value: Array("00-\(Self.trace)-\(Self.root)-01".utf8))])
      _ = try await world.ending("r-traced")
      return try await world.records("r-traced", 120)
    }

    @Test(.world())
    func theSpansOfAHarvestAreOneTreeFromRequestToRecord() async throws {
      let world = try World.current
      let collector = try Collector()
      try await world.startAll(settings: settings(collector.address))
      let records = try await harvest(world)
      let wanted = Set(records.compactMap { $0.header("traceparent")?.split(separator: "-").dropFirst(2).first.map(String.init) })
      #expect(wanted.count == 3)
      let found = try await collector.state.wait(within: .seconds(30)) { state -> [Collector.SeenSpan]? in
        wanted.isSubset(of: state.spans.map(\.id)) ? state.spans : nil
      }
      let spans = try #require(found, "\(collector.state.read { $0.spans.map(\.name) })")
      let byID = Dictionary(spans.map { ($0.id, $0) }) { first, _ in first }
      #expect(byID.count == spans.count, "a span id twice")
      for span in spans {
        #expect(span.traceID == Self.trace, "\(span.name)")
        #expect(span.parentID == Self.root || byID[span.parentID ?? ""] != nil, "\(span.name) has no parent among them")
      }
      for record in records {
        let header = try #require(record.header("traceparent"))
        #expect(Self.path(from: String(header.split(separator: "-")[2]), byID).first == "process channel-requests", "\(header)")
      }
      let longest = wanted.map { Self.path(from: $0, byID) }.max { $0.count < $1.count } ?? []
      #expect(
        longest == [
          "process channel-requests", "send", "process channel-details", "send", "process playlist-requests", "send",
          "process playlist-requests", "send playlist-pages", "process playlist-pages", "send",
        ])
      try expectConventions(spans)
      #expect(collector.state.read { $0.authorizations } == ["Bearer MARKEDTOKEN"])
      #expect(collector.state.read { $0.problems }.isEmpty)
      let log = world.processes.read { $0 }.flatMap { $0.log + $0.output }
      #expect(!log.contains { $0.contains("MARKEDTOKEN") })
      await collector.stop()
    }

    /// The names from the root down to a span.
    private static func path(from id: String, _ spans: [String: Collector.SeenSpan]) -> [String] {
      var names: [String] = []
      var next = spans[id]
      while let span = next, names.count < 100 {
        names.insert(span.name, at: 0)
        next = span.parentID.flatMap { spans[$0] }
      }
      return names
    }

    private func expectConventions(_ spans: [Collector.SeenSpan]) throws {
      let calls = spans.filter { $0.kind == 3 }
      #expect(Set(calls.map(\.name)) == ["GET /youtube/v3/channels", "GET /youtube/v3/playlistItems", "GET /youtube/v3/videos"])
      for call in calls {
        #expect(call.attribute("http.response.status_code") == "200" && call.attribute("server.address") == "127.0.0.1")
        let address = try #require(call.attribute("url.full")?.string)
        #expect(!address.contains("e2e-key"))
      }
      let handled = spans.filter { $0.kind == 5 }
      #expect(Set(handled.map(\.service)) == ["tubeline-channels", "tubeline-playlists", "tubeline-videos"])
      for span in handled {
        #expect(span.attribute("messaging.system") == "kafka" && span.attribute("messaging.operation.type") == "process")
        #expect(span.attribute("messaging.consumer.group.name")?.string?.hasSuffix(span.service) == true)
      }
    }

    @Test(.world())
    func aCollectorThatIsAwayHoldsUpNothing() async throws {
      let world = try World.current
      try await world.startAll(settings: settings("http://127.0.0.1:1"))
      #expect(try await harvest(world).count == 120)
      let worker = try #require(world.workers(.videos).first)
      let began = ContinuousClock.now
      worker.send(SIGTERM)
      #expect(try await worker.ended() == .exited(0))
      #expect(ContinuousClock.now - began < .seconds(15))
      #expect(worker.log.contains { $0.contains("Spans were dropped") || $0.contains("The collector does not take spans") })
    }
  }
}
