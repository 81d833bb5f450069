import Foundation
import JSON
import Kafka
import Messages
import Testing

extension EndToEndTests {
  /// A run in which everything is published that can be: what scripts/contract holds to the schemas. Each test checks that it was.
  @Suite(
    .serialized, .world(.init(settings: ["RETRY_DELAY": "100ms", "RETRY_ATTEMPTS": "2", "BREAKER_FAILURES": "0"], workers: 1)),
    .timeLimit(.minutes(4)))
  struct ContractTests {
    /// Requests that workers take, beside an id.
    private static let valid: [(JSONTree, ending: JSONTree)] = [
      (["channel": "@hidden-counts", "enrich": true], "completed"),
      (["handle": "@hidden-counts", "enrich": false, "maxVideos": 60], "completed"),
      (["url": "https://www.youtube.com/@hidden-counts", "publishedAfter": "2020-01-01T00:00:00+02:00"], "completed"),
      (["channel": "@hidden-counts", "since": "last"], "completed"),
      (["channel": "@hidden-counts", "since": "last"], "completed"),
      (["channel": "@日本語チャンネル", "scope": "details", "x-unknown": ["is", "ignored"]], "completed"),
      (["channel": "@nobody-has-this-name-at-all"], "notFound"),
      (["channel": "@Google", "expiresAt": "2020-01-01T00:00:00Z"], "expired"),
    ]

    /// Requests that workers refuse, as they are and as the schema should say.
    private static let invalid: [String] = [
      #"{"channel": 5}"#, #"{"channel": "@a", "id": "UC"}"#, "{}", #"{"channel": " "}"#, #"{"channel": "@a", "maxVideos": 0}"#,
      #"{"channel": "@a", "maxVideos": 1.5}"#, #"{"channel": "@a", "scope": "everything"}"#, #"{"channel": "@a", "since": "yesterday"}"#,
      #"{"channel": "@a", "enrich": "yes"}"#, #"{"channel": "@a", "expiresAt": "tomorrow"}"#, #"{"channel": "@a", "requestId": ""}"#,
      #"{"channel": "@a""#, #"["@a"]"#,
    ]

    private static let validSearches: [(JSONTree, ending: JSONTree)] = [
      (["query": "Google", "type": ["video"], "maxResults": 60, "order": "date", "safeSearch": "none"], "completed"),
      (["query": "Google", "type": "channel,playlist", "scope": "details", "regionCode": "CH", "relevanceLanguage": "de"], "completed"),
      (
        ["query": "nobody uploads this", "type": ["video"], "videoDuration": "short", "publishedAfter": "2020-01-01T00:00:00Z"], "completed"
      ),
      (["query": "Google", "expiresAt": "2020-01-01T00:00:00Z"], "expired"),
    ]

    private static let invalidSearches: [String] = [
      #"{"query": 7}"#, #"{"query": "a", "type": ["person"]}"#, #"{"query": "a", "type": []}"#, #"{"query": "a", "maxResults": 501}"#,
      #"{"query": "a", "maxResults": "5"}"#, #"{"query": "a", "order": "newest"}"#, #"{"query": "a", "regionCode": "Swiss"}"#,
      #"{"query": "a", "channelId": "Google"}"#, #"{"query": "a", "topicId": "music"}"#, #"{"query": "a", "relevanceLanguage": "d"}"#,
      #"{"query": "a", "publishedAfter": "yesterday"}"#, #"{"query": "a", "requestId": ""}"#, #"{"query": "a""#,
    ]

    private func mark(_ verdict: String) -> [KafkaHeader] { [KafkaHeader(name: "x-contract", value: Array(verdict.utf8))] }

    private func send(_ request: JSONTree, to topic: Topic = .channelRequests) async throws -> String {
      var request = request
      let id = "r-\(UInt64.random(in: 0 ... .max))"
      request["requestId"] = .string(id)
      try await World.current.send(request.bytes(), to: topic, headers: mark("valid"))
      return id
    }

    @Test func whatTheSchemaTakesWorkersTake() async throws {
      let world = try World.current
      for (request, ending) in Self.valid { #expect(try await world.ending(send(request))["type"] == ending, "\(request)") }
      let truth = try await world.stub.truth("@hidden-counts")
      #expect(try await world.ending(send(["playlist": .string(truth.uploadsPlaylistID), "maxVideos": 3]))["type"] == "completed")
      #expect(try await world.ending(send(["id": .string(truth.channelID), "scope": "details"]))["type"] == "completed")
      let page = try await world.stub.api("playlistItems?part=contentDetails,status&playlistId=\(truth.uploadsPlaylistID)&maxResults=50")
      let video = (page["items"]?.elements ?? []).first { $0["status"]?["privacyStatus"] == "public" }
      let id = try #require(video?["contentDetails"]?["videoId"]?.string)
      #expect(try await world.ending(send(["video": .string(id), "scope": "video"]))["type"] == "completed")
    }

    @Test func whatTheSchemaRefusesWorkersRefuse() async throws {
      let world = try World.current
      let before = world.deadLetters().count
      for text in Self.invalid { try await world.send(text, headers: mark("invalid")) }
      try await world.wait("a dead letter for each") { state in
        (state.messages[.dead(.channels)] ?? []).count - before >= Self.invalid.count ? true : nil
      }
    }

    @Test func searchesAreTakenAndRefusedAsTheSchemaSays() async throws {
      let world = try World.current
      try await world.start(.search)
      for (request, ending) in Self.validSearches {
        #expect(try await world.ending(send(request, to: .searchRequests))["type"] == ending, "\(request)")
      }
      for text in Self.invalidSearches { try await world.send(Array(text.utf8), to: .searchRequests, headers: mark("invalid")) }
      try await world.wait("a dead letter for each") { state in
        (state.messages[.dead(.search)] ?? []).count >= Self.invalidSearches.count ? true : nil
      }
      #expect(world.messages(.searchContinuations).count >= 1, "the second page of a search")
    }

    @Test func faultsLeadToRetriesDeadLettersAndReplays() async throws {
      let world = try World.current
      let truth = try await world.stub.truth("@Google")
      try await world.stub.fault(["match": ["method": "videos.list"], "count": -1, "status": 500, "reason": "backendError"])
      let failing = try await send(["channel": "@Google", "maxVideos": 100])
      #expect(try await world.ending(failing)["type"] == "completed")
      try await world.stub.clearFaults()
      try await world.stub.fault(
        ["match": ["method": "playlistItems.list", "playlistId": .string(truth.uploadsPlaylistID)], "count": -1, "status": 500])
      #expect(try await world.ending(send(["channel": "@Google"]))["type"] == "failed")
      try await world.stub.clearFaults()
      let replay = try world.start("tubeline", ["dead-letters", "replay", "--code", "attemptsExhausted"])
      #expect(try await replay.ended(within: .seconds(60)) == .exited(0), "\(replay.tail())")
      let discard = try world.start("tubeline", ["dead-letters", "discard", "--code", "invalidRequest"])
      try await discard.ended(within: .seconds(60))
    }

    @Test func commandsPublishToo() async throws {
      let world = try World.current
      try await world.stub.fault(["count": -1, "delayMs": 150])
      let publish = try world.start("tubeline", ["publish", "@Google"])
      let id = try await publish.firstLine()
      try await publish.ended()
      try await world.wait("a page") { state in (state.events[id] ?? []).contains { $0["type"] == "page" } ? true : nil }
      let cancel = try world.start("tubeline", ["cancel", id])
      #expect(try await cancel.ended(within: .seconds(60)) == .exited(0), "\(cancel.tail())")
      try await world.stub.clearFaults()
      #expect(try await world.ending(id)["type"] == "cancelled")
      try await world.wait("a report of every stage") { state in
        let reported = Set((state.messages[.workerStatus] ?? []).compactMap { $0.json?["stage"]?.string })
        return World.stages.allSatisfy { reported.contains($0.rawValue) } ? true : nil
      }
    }
  }
}
