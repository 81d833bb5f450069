import Foundation
import Glibc
import JSON
import Messages
import Telemetry
import Testing

extension EndToEndTests {
  /// Searches, from the request to records and channels, and `tubeline search`.
  @Suite(.serialized, .timeLimit(.minutes(3)))
  struct SearchTests {
    /// What the API itself answers, page after page, as its own client would read it.
    private static func hits(_ query: String) async throws -> [(kind: String, id: String, title: String)] {
      var hits: [(kind: String, id: String, title: String)] = []
      var token: String?
      repeat {
        let page = try await World.current.stub.api(
          "search?part=snippet&maxResults=50&\(query)" + (token.map { "&pageToken=\($0)" } ?? ""))
        for item in page["items"]?.elements ?? [] {
          let kind = String((item["id"]?["kind"]?.string ?? "").dropFirst("youtube#".count))
          hits.append((kind, item["id"]?["\(kind)Id"]?.string ?? "", item["snippet"]?["title"]?.string ?? ""))
        }
        token = page["nextPageToken"]?.string
      } while token != nil
      return hits
    }

    /// The last event and all other messages of a request, once everything is read.
    private static func ended(_ id: String) async throws -> JSONTree {
      let world = try World.current
      let end = try await world.ending(id)
      try await world.log.caughtUp()
      #expect(world.log.state.read { $0.endings(id).count } == 1, "exactly one terminal event")
      return end
    }

    @Test(.world(.init(workers: 1)))
    func aSearchForVideosBecomesRecordsInSearchOrder() async throws {
      let world = try World.current
      try await world.start(.search)
      let truth = try await Self.hits("q=Google&type=video").prefix(120)
      try await world.stub.send("POST", "reset")
      let id = try await world.search(["query": "Google", "type": ["video"], "maxResults": 120])
      let end = try await Self.ended(id)
      // The second page of the double is short.
      #expect(end["type"] == "completed" && end["totals"] == ["pages": 3, "items": 120, "units": 3, "searches": 3], "\(end)")
      #expect(end["truncatedBy"] == "maxResults" && end["found"] == ["channels": 0, "videos": 120, "playlists": 0])
      let statistics = try await world.stub.statistics()
      #expect(statistics.units == ["search": 3, "default": 3], "\(statistics)")
      let records = try await world.records(id, 120)
      #expect(records.count == 120 && records.allSatisfy { $0.json?["source"] == "search" && $0.json?["etag"] != nil })
      let ranked = records.sorted { ($0.json?["position"]?.int ?? 0) < ($1.json?["position"]?.int ?? 0) }
      #expect(ranked.map { $0.json?["position"]?.int } == Array(0..<120))
      #expect(ranked.map { $0.key } == truth.map(\.id))
      #expect(truth.contains { $0.title.contains("&#39;") } && records.allSatisfy { $0.json?["title"]?.string?.contains("&#39;") == false })
      #expect(world.deadLetters().isEmpty)
    }

    @Test(.world(.init(workers: 1)))
    func everyResultOfAMixedSearchLeadsToItsOwnEnd() async throws {
      let world = try World.current
      try await world.start(.search)
      let id = try await world.search(
        ["query": "Google Apple", "type": ["channel", "video", "playlist"], "maxResults": 40, "enrich": false, "maxVideos": 60])
      let end = try await Self.ended(id)
      let resolved = world.log.state.read { ($0.events[id] ?? []).filter { $0["type"] == "resolved" } }
      let results = resolved.flatMap { $0["results"]?.elements ?? [] }
      #expect(results.map { $0["position"]?.int } == Array(0..<40))
      let channels = results.filter { $0["channelId"] != nil }
      let playlists = results.filter { $0["playlistId"] != nil }
      #expect(channels.count >= 2 && playlists.count >= 2, "\(results)")
      let videos = 40 - channels.count - playlists.count
      #expect(end["found"] == ["channels": .int(channels.count), "videos": .int(videos), "playlists": .int(playlists.count)])
      #expect(end["totals"] == ["pages": 1, "items": .int(videos), "units": 0, "searches": 1])
      for channel in channels {
        let request = try #require(channel["requestId"]?.string)
        #expect(try await Self.ended(request)["totals"]?["items"] == 0, "only details are wanted")
        #expect(world.messages(.channelDetails).count { $0.requestID == request && $0.key == channel["channelId"]?.string } == 1)
      }
      for playlist in playlists {
        let request = try #require(playlist["requestId"]?.string)
        let items = try #require(try await Self.ended(request)["totals"]?["items"]?.int)
        #expect(try await world.records(request, items).count == items && (1...60).contains(items))
      }
      #expect(try await world.stub.statistics().units["search"] == 1)
    }

    /// A bare text searches for channels; parameters are heeded; a search that finds nothing is done, too.
    @Test(.world(.init(workers: 1)))
    func textsFiltersAndSearchesForNothing() async throws {
      let world = try World.current
      try await world.start(.search)
      try await world.send(Array("Microsoft".utf8), to: .searchRequests)
      let details = try await world.wait("details of the channel") { $0.messages[.channelDetails]?.first }
      #expect(details.json?["title"] == "Microsoft" && details.json?["resolvedBy"] == "id")
      let short = try await world.search(["query": "Google", "type": "video", "videoDuration": "short", "maxResults": 30])
      #expect(try await Self.ended(short)["totals"] == ["pages": 1, "items": 30, "units": 1, "searches": 1])
      let lengths = try await world.records(short, 30).map { $0.json?["durationSeconds"]?.int ?? .max }
      #expect(lengths.allSatisfy { $0 < 240 }, "\(lengths)")
      let nothing = try await world.search(["query": "-nothing", "type": "video"])
      let end = try await Self.ended(nothing)
      #expect(end["type"] == "completed" && end["totals"] == ["pages": 1, "items": 0, "units": 0, "searches": 1], "\(end)")
    }

    @Test(.world()) func whatCannotBeSearchedForIsRefusedBeforeASearchIsSpent() async throws {
      let world = try World.current
      try await world.start(.search)
      let text = #"{"requestId":"bad","query":"x","type":["channel"],"videoDuration":"short"}"#
      try await world.send(Array(text.utf8), to: .searchRequests, key: "k")
      let end = try await Self.ended("bad")
      #expect(end["type"] == "rejected" && end["stage"] == "search" && end["error"]?["code"] == "invalidRequest", "\(end)")
      let letter = try await world.wait("the dead letter") { $0.messages[.dead(.search)]?.first }
      #expect(letter.record.value == Array(text.utf8) && letter.key == "k")
      #expect(letter.header("tubeline-error-code") == "invalidRequest")
      #expect(letter.header("tubeline-error-message")?.contains("videoDuration") == true)
      #expect(try await world.stub.statistics().calls.isEmpty)
      let list = try world.start("tubeline", ["dead-letters", "list", "--stage", "search", "--format", "jsonl"])
      #expect(try await list.ended() == .exited(0) && list.output.count == 1, "\(list.tail())")
    }

    @Test(.world(.init(settings: ["QUOTA_DAILY_SEARCHES": "1"], workers: 1)))
    func searchesWithoutQuotaWaitWhileOtherStagesGoOnAndCanBeCancelled() async throws {
      let world = try World.current
      let worker = try #require(try await world.start(.search).first)
      let id = try await world.search(["query": "Google", "type": "video", "maxResults": 120])
      #expect(try await worker.logged("Waiting for quota").contains("usedUp"))
      let other = try await world.request(["channel": "@hidden-counts"])
      #expect(try await world.ending(other)["type"] == "completed")
      #expect(try await world.records(id, 50).count == 50, "the page that was paid for is there")
      let cancel = try world.start("tubeline", ["cancel", "--wait", id])
      #expect(try await cancel.ended() == .exited(0), "\(cancel.tail())")
      let end = try await Self.ended(id)
      #expect(end["type"] == "cancelled" && end["totals"]?["pages"] == 1, "\(end)")
      #expect(try await world.stub.statistics().units["search"] == 1)
    }

    /// A page whose worker is killed is searched for again; its continuation, if it was published, is followed once.
    @Test(.world(.init(workers: 1)))
    func aKilledWorkerCostsAtMostThePageUnderWay() async throws {
      let world = try World.current
      let worker = try #require(try await world.start(.search).first)
      try await world.stub.fault(["match": ["method": "search.list"], "count": -1, "delayMs": 700])
      let id = try await world.search(["query": "Google", "type": "video", "maxResults": 300, "enrich": false])
      try await world.wait("two pages") { state in
        (state.events[id] ?? []).count { $0["type"] == "resolved" } >= 2 ? true : nil
      }
      worker.send(SIGKILL)
      try await worker.ended()
      try await world.start(.search)
      let end = try await Self.ended(id)
      #expect(end["type"] == "completed" && end["totals"]?["items"] == 300, "\(end)")
      let records = try await world.records(id, 300)
      #expect(Set(records.compactMap { $0.json?["position"]?.int }) == Set(0..<300))
      let pages = try #require(end["totals"]?["pages"]?.int)
      let searches = try await world.stub.statistics().units["search"] ?? 0
      #expect((pages...pages + 2).contains(searches), "\(searches) searches for \(pages) pages")
    }

    @Test(.world(.init(workers: 1)))
    func theCommandLineFollowsASearchOnACluster() async throws {
      let world = try World.current
      try await world.start(.search)
      let publish = try world.start("tubeline", ["search", "Apple", "--type", "video", "--max-results", "5"])
      #expect(try await publish.ended() == .exited(0), "\(publish.tail())")
      let id = try #require(publish.output.first)
      #expect(publish.output.count == 1)
      #expect(try await Self.ended(id)["totals"]?["items"] == 5)
      let wait = try world.start(
        "tubeline", ["search", "Apple", "--type", "channel,video", "--max-results", "8", "--wait", "--format", "csv", "--timeout", "60s"])
      #expect(try await wait.ended(within: .seconds(70)) == .exited(0), "\(wait.tail())")
      #expect(wait.output.count == 9 && wait.output.first?.hasPrefix("position,kind,id,title") == true, "\(wait.output)")
      #expect(wait.output.dropFirst().map { $0.prefix(2) } == (0..<8).map { "\($0)," }, "in search order")
      let late = try world.start("tubeline", ["search", "x", "--wait", "--timeout", "10ms"])
      #expect(try await late.ended() == .exited(1) && late.log.contains { $0.contains("tubeline cancel") }, "\(late.tail())")
    }

    /// Nothing is installed and nothing runs but the API: the command brings the rest.
    @Test(.world()) func theFirstVideoIsFoundBehindAChannelAndAPlaylist() async throws {
      let world = try World.current
      let hits = try await Self.hits("q=Google&type=channel,playlist,video")
      #expect(hits.prefix(2).map(\.kind) == ["channel", "playlist"])
      let candidates = hits.filter { $0.kind == "video" }.prefix(20).map(\.id)
      let details = try await world.stub.api("videos?part=status,snippet&id=\(candidates.joined(separator: ","))")["items"]?.elements ?? []
      let expected = candidates.first { id in
        let video = details.first { $0["id"]?.string == id }
        return video?["status"]?["embeddable"] == true && video?["snippet"]?["liveBroadcastContent"] != "upcoming"
      }
      let own = ["KAFKA_BOOTSTRAP_SERVERS": ""]
      let first = try world.start("tubeline", ["search", "Google", "--type", "channel,playlist,video", "--first-video"], settings: own)
      #expect(try await first.ended(within: .seconds(60)) == .exited(0), "\(first.tail(30))")
      #expect(first.output == ["https://www.youtube.com/watch?v=\(try #require(expected))"])
      let none = try world.start("tubeline", ["search", "--first-video", "--", "-nothing"], settings: own)
      #expect(try await none.ended(within: .seconds(60)) == .exited(1) && none.output.isEmpty, "\(none.tail(30))")
      #expect(none.log.contains { $0.contains("No video that can be played") })
    }

    @Test(.world()) func aSearchThatBringsItsOwnWorkersShowsEverything() async throws {
      let world = try World.current
      // Longer than the threads of a pool live when they have nothing to do: the workers must not end with one of them.
      try await world.stub.fault(["match": ["method": "search.list"], "count": 1, "delayMs": 8000])
      let search = try world.start(
        "tubeline", ["search", "Google", "--type", "channel,video,playlist", "--max-results", "12", "--max-videos", "3", "--wait"],
        settings: ["KAFKA_BOOTSTRAP_SERVERS": ""])
      #expect(try await search.ended(within: .seconds(90)) == .exited(0), "\(search.tail(30))")
      let records = try search.output.map { try JSONTree.parse(Array($0.utf8)) }
      let videos = records.filter { $0["source"] == "search" }
      #expect(videos.map { $0["position"]?.int } == Array(2..<12), "a channel and a playlist come first")
      #expect(records.count { $0["source"] == "playlist" } == 3)
      let others = records.filter { $0["videoId"] == nil }
      #expect(others.count == 2 && others.contains { $0["channelId"] != nil }, "\(others)")
      #expect(others.contains { $0["playlistId"] != nil && $0["position"] == 1 && $0["requestId"]?.string != nil }, "\(others)")
      #expect(try await world.stub.statistics().units["search"] == 1)
    }
  }
}
