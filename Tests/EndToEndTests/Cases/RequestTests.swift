import Foundation
import JSON
import Kafka
import Messages
import Testing

extension EndToEndTests {
  /// Every form of a request, its options, and requests that cannot be met or read.
  @Suite(.serialized, .world(.init(workers: 1)), .timeLimit(.minutes(5)))
  struct RequestTests {
    @Test func everyUsualReferenceFindsItsChannel() async throws {
      let world = try World.current
      let google = try await world.stub.truth("@Google")
      let before = world.messages(.channelDetails).count
      let references = Self.references(google)
      for reference in references { try await world.send(reference) }
      let found = try await world.wait("\(references.count) channels") { state in
        let details = (state.messages[.channelDetails] ?? []).dropFirst(before)
        return details.count >= references.count ? Array(details) : nil
      }
      #expect(Set(found.compactMap(\.key)) == [google.channelID])
      #expect(Set(found.compactMap(\.requestID)).count == references.count, "each request was answered once")
      for message in found { _ = try await world.ending(message.requestID ?? "none") }
      try await world.log.caughtUp()
      #expect(world.messages(.channelDetails).count == before + references.count)
    }

    /// All with scope details, so that they cost a look-up each.
    private static func references(_ google: StubControl.Truth) -> [String] {
      let id = google.channelID
      let channels = [
        "Google", "@Google", "@google", " @Google ", id, "https://www.youtube.com/channel/\(id)", "youtube.com/channel/\(id)/videos?view=0",
        "https://www.youtube.com/@Google", "http://m.youtube.com/@google/featured", "https://youtube.com/@Google/shorts/",
        "https://www.youtube.com/user/Google", "https://www.youtube.com/c/Google", "www.youtube.com/Google",
        "https://youtube.com/%40Google",
        "https://music.youtube.com/channel/\(id)?feature=share",
      ]
      let forms: [(String, String)] =
        channels.map { ("channel", $0) } + [
          ("id", id), ("handle", "@Google"), ("handle", "google"), ("username", "Google"), ("url", "https://www.youtube.com/@Google"),
        ]
      return forms.map { form, text in
        let request: JSONTree = .object([.init(form, .string(text)), .init("scope", "details")])
        return String(decoding: request.bytes(), as: UTF8.self)
      }
    }

    @Test func videoReferencesLeadToTheirChannel() async throws {
      let world = try World.current
      let google = try await world.stub.truth("@Google")
      let video = try await Self.publicVideo(of: google)
      let forms = ["watch?v=\(video)&t=12s", "shorts/\(video)?feature=share", "live/\(video)", "embed/\(video)"]
      let urls = forms.map { "https://www.youtube.com/\($0)" } + ["https://youtu.be/\(video)?si=abc", "youtu.be/\(video)"]
      for request: JSONTree in urls.map({ ["url": .string($0), "scope": "details"] }) + [["video": .string(video), "scope": "details"]] {
        let (id, end) = try await world.outcome(request)
        #expect(end["type"] == "completed" && end["channelId"]?.string == google.channelID, "\(request): \(end)")
        let details = try await world.wait("details of \(id)") { $0.messages[.channelDetails]?.first { $0.requestID == id } }
        #expect(details.json?["resolvedBy"] == "video")
      }
    }

    static func publicVideo(of truth: StubControl.Truth) async throws -> String {
      let world = try World.current
      let page = try await world.stub.api("playlistItems?part=snippet,status&playlistId=\(truth.uploadsPlaylistID)&maxResults=50")
      let item = (page["items"]?.elements ?? []).first { $0["status"]?["privacyStatus"] == "public" }
      guard let id = item?["snippet"]?["resourceId"]?["videoId"]?.string else { throw Unmet("no public video on the first page") }
      return id
    }

    @Test func scopesEndWhereTheySay() async throws {
      let world = try World.current
      let google = try await world.stub.truth("@Google")
      try await world.stub.send("POST", "reset")
      let (details, end) = try await world.outcome(["channel": "@Google", "scope": "details"])
      #expect(end["type"] == "completed" && end["stage"] == "channels")
      #expect(try await world.stub.statistics().calls["playlistItems.list", default: 0] == 0, "details list no playlist")
      let video = try await Self.publicVideo(of: google)
      let (id, ending) = try await world.outcome(["video": .string(video), "scope": "video"])
      #expect(ending["type"] == "completed" && ending["totals"]?["items"] == 1, "\(ending)")
      let record = try await world.records(id, 1)
      #expect(record.count == 1 && record.first?.key == video && record.first?.json?["source"] == "video")
      #expect(world.log.state.read { $0.records[details] } == nil)
    }

    @Test func playlistsAreWalkedAsTheyAre() async throws {
      let world = try World.current
      let google = try await world.stub.truth("@Google")
      let url = "https://www.youtube.com/playlist?list=\(google.uploadsPlaylistID)"
      let (id, end) = try await world.outcome(["url": .string(url), "maxVideos": 60])
      #expect(end["type"] == "completed" && end["truncatedBy"] == "maxVideos" && end["totals"]?["items"] == 60, "\(end)")
      let records = try await world.records(id, 60)
      #expect(records.count == 60 && records.allSatisfy { $0.json?["source"] == "playlist" })
    }

    @Test func optionsAreHonoured() async throws {
      let world = try World.current
      try await world.stub.send("POST", "reset")
      let (id, end) = try await world.outcome(["channel": "@Google", "maxVideos": 120, "enrich": false])
      #expect(end["totals"] == ["pages": 3, "items": 120, "units": 4], "\(end)")
      #expect(end["truncatedBy"] == "maxVideos")
      let records = try await world.records(id, 120)
      #expect(records.count == 120 && records.allSatisfy { $0.json?["duration"] == nil && $0.json?["statistics"] == nil })
      let statistics = try await world.stub.statistics()
      #expect(statistics.calls["videos.list", default: 0] == 0 && statistics.units["default"] == 4)
      let dates = records.compactMap { $0.json?["publishedAt"]?.string }.sorted()
      let after = dates[dates.count - 20]
      let (recent, ending) = try await world.outcome(["channel": "@Google", "publishedAfter": .string(after), "enrich": false])
      #expect(ending["type"] == "completed" && ending["truncatedBy"] == "publishedAfter", "\(ending)")
      let some = try await world.records(recent, ending["totals"]?["items"]?.int ?? -1)
      #expect(some.count >= 20 && some.count < 100)
      #expect(some.allSatisfy { ($0.json?["publishedAt"]?.string).map { $0 >= after } ?? true })
    }

    @Test func notFoundIsAResultAndNoUploadsIsComplete() async throws {
      let world = try World.current
      let before = world.deadLetters().count
      let missing: [JSONTree] = [
        ["channel": "@no-such-channel-anywhere-x"], ["id": "UCaaaaaaaaaaaaaaaaaaaaaa"], ["username": "nosuchusername9"],
        ["channel": "terminated-channel"], ["video": "aaaaaaaaaaa"], ["video": "aaaaaaaaaaa", "scope": "video"],
        ["playlist": "PLaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
      ]
      for request in missing {
        let (_, end) = try await world.outcome(request)
        #expect(end["type"] == "notFound", "\(request): \(end)")
      }
      let empty = try #require(try await world.stub.truths().first { $0.videos == 0 })
      let (_, end) = try await world.outcome(["id": .string(empty.channelID)])
      #expect(end["type"] == "completed" && end["totals"]?["items"] == 0, "\(end)")
      try await world.log.caughtUp()
      #expect(world.deadLetters().count == before, "a business result is no dead letter")
    }

    @Test func expiredRequestsCostNothing() async throws {
      let world = try World.current
      try await world.stub.send("POST", "reset")
      let (_, end) = try await world.outcome(["channel": "@Google", "expiresAt": "2020-01-01T00:00:00Z"])
      #expect(end["type"] == "expired" && end["stage"] == "channels")
      #expect(try await world.stub.statistics().units["default"] == 0)
    }
  }
}
