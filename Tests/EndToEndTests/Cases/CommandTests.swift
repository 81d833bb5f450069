import JSON
import Messages
import Testing

extension EndToEndTests {
  /// The command line beside running workers, and data that was recorded from the real API.
  @Suite(.serialized, .timeLimit(.minutes(2)))
  struct CommandTests {
    @Test(.world(.init(workers: 1)))
    func publishedNamesComeBackAsRecordsOfTheCommandLine() async throws {
      let world = try World.current
      let truth = try await world.stub.truth("@hidden-counts")
      let publish = try world.start("tubeline", ["publish", "@hidden-counts", "@nothing-yet"])
      #expect(try await publish.ended() == .exited(0), "\(publish.tail())")
      let ids = publish.output
      #expect(ids.count == 2)
      for id in ids { #expect(try await world.ending(id)["type"] == "completed") }
      let videos = try world.start("tubeline", ["videos", "--end", "--request", try #require(ids.first)])
      #expect(try await videos.ended() == .exited(0), "\(videos.tail())")
      let records = try videos.output.map { try JSONTree.parse(Array($0.utf8)) }
      #expect(Set(records.compactMap { $0["videoId"]?.string }).count == truth.listed)
      let events = try world.start("tubeline", ["events", "--end", "--request", try #require(ids.last)])
      #expect(try await events.ended() == .exited(0), "\(events.tail())")
      #expect(events.output.contains { $0.contains("\"completed\"") })
    }

    @Test(.needsRecordings, .world(.init(stub: ["--recordings", Requirement.recordings ?? ""], workers: 1)))
    func aRecordedPlaylistGivesItsSixtySevenRecords() async throws {
      let world = try World.current
      let url = "https://www.youtube.com/playlist?list=PLpjK416fmKwQlQ0KvTWFmXZZa3d4IO2ro"
      let (id, end) = try await world.outcome(["url": .string(url), "enrich": false])
      #expect(end["type"] == "completed" && end["totals"] == ["pages": 2, "items": 67, "units": 2], "\(end)")
      let records = try await world.records(id, 67)
      #expect(records.count == 67 && records.allSatisfy { $0.json?["source"] == "playlist" })
    }
  }
}
