import FoundationEssentials
import JSON
import Testing

@testable import Messages

@Suite("Payloads", .timeLimit(.minutes(1)))
struct PayloadTests {
  private func text(_ payload: some Payload) -> String { String(decoding: payload.bytes, as: UTF8.self) }
  private func keys(_ payload: some Payload) throws -> [String] { try JSONTree.parse(payload.bytes).members?.map(\.key) ?? [] }
  private func json(_ payload: some Payload) throws -> JSONValue { try JSONDocument.parse(payload.bytes).root }

  private var details: ChannelDetails {
    var details = ChannelDetails(requestID: "r-7f3a", reference: "@Google", resolvedBy: .handle, channelID: "UCx", fetchedAt: "t")
    details.title = "Google"
    details.description = ""
    details.customURL = "@google"
    details.publishedAt = "2005-09-18T22:37:10Z"
    details.country = "US"
    details.thumbnails = ThumbnailSet([ThumbnailSet.Picture(name: "default", url: "u", width: 88, height: 88)])
    details.uploadsPlaylistID = "UUx"
    details.statistics = ChannelDetails.Statistics(viewCount: 1, subscriberCount: 1, hiddenSubscriberCount: false, videoCount: 1636)
    details.etag = "e"
    return details
  }

  @Test func channelDetailsAreAsTheContractShows() throws {
    let expected = [
      "requestId", "reference", "resolvedBy", "channelId", "title", "description", "customUrl", "publishedAt", "country", "thumbnails",
      "thumbnail",
      "uploadsPlaylistId", "statistics", "options", "fetchedAt", "etag",
    ]
    #expect(try keys(details).filter { $0 != "totals" } == expected)
    #expect(text(details).contains(#""thumbnails":{"default":{"url":"u","width":88,"height":88}},"thumbnail":"u""#))
    #expect(text(details).contains(#""options":{"enrich":true}"#))
    #expect(details.key == "UCx")
    #expect(try ChannelDetails(json: json(details)) == details)
    let bare = ChannelDetails(requestID: "r", reference: "x", resolvedBy: .id, channelID: "UCx", fetchedAt: "t")
    #expect(!text(bare).contains("null"))
    #expect(try ChannelDetails(json: json(bare)) == bare)
  }

  @Test func playlistRequestsAreAsTheContractShows() throws {
    let request = PlaylistRequest(
      listing: Listing(
        requestID: "r-7f3a", source: .uploads, playlistID: "UU", channelID: "UC", totals: Totals(pages: 1, items: 50, units: 2)),
      pageToken: "CDIQAA", pageNumber: 2)
    let expected =
      #"{"requestId":"r-7f3a","source":"uploads","playlistId":"UU","channelId":"UC","pageToken":"CDIQAA","pageNumber":2,"#
      + #""totals":{"pages":1,"items":50,"units":2},"enrichments":0,"options":{"enrich":true}}"#
    #expect(text(request) == expected)
    #expect(try PlaylistRequest(json: json(request)) == request)
    #expect(request.key == "UU")
  }

  @Test func pagesAreAsTheContractShowsAndSurvive() throws {
    var item = PlaylistPage.Item(videoID: "BVGKskYZrw8", availability: .public)
    item.position = 50
    item.title = "T"
    item.description = "D"
    item.addedAt = "a"
    item.publishedAt = "p"
    let page = PlaylistPage(
      listing: Listing(requestID: "r", source: .uploads, playlistID: "UU", channelID: "UC"), pageNumber: 2, totalResults: 1636,
      items: [item, PlaylistPage.Item(videoID: "x", availability: .deleted)], last: true, truncatedBy: .maxVideos)
    let first = try JSONTree.parse(page.bytes)["items"]?.elements?.first?.members?.map(\.key)
    #expect(first == ["videoId", "position", "title", "description", "addedAt", "publishedAt", "availability", "thumbnails"])
    #expect(try PlaylistPage(json: json(page)) == page)
    #expect(!text(page).contains("null"))
    #expect(page.key == "UU")
  }

  @Test func recordsAreAsTheContractShowsAndLeaveOutWhatIsUnknown() throws {
    var record = VideoRecord(videoID: "v", availability: .public, source: .uploads, requestID: "r", fetchedAt: "t")
    let always = ["videoId", "url", "availability", "source", "requestId", "fetchedAt"]
    #expect(try keys(record) == always)
    record.channelID = "UC"
    record.channelTitle = "G"
    record.title = "T"
    record.description = "D"
    record.publishedAt = "p"
    record.addedAt = "a"
    record.playlistID = "UU"
    record.position = 0
    record.thumbnails = ThumbnailSet([ThumbnailSet.Picture(name: "high", url: "h", width: nil, height: nil)])
    record.duration = "PT1M3S"
    record.durationSeconds = 63
    record.definition = "hd"
    record.captions = false
    record.tags = ["a"]
    record.categoryID = "28"
    record.defaultLanguage = "en"
    record.defaultAudioLanguage = "en"
    record.liveBroadcastContent = "none"
    record.liveStreaming = VideoRecord.LiveStreaming(scheduledStartTime: "s")
    record.madeForKids = false
    record.embeddable = true
    record.license = "youtube"
    record.statistics = VideoRecord.Statistics(viewCount: 1, likeCount: 1, commentCount: 1)
    record.etag = "e"
    let expected = [
      "videoId", "url", "channelId", "channelTitle", "title", "description", "publishedAt", "addedAt", "playlistId", "position",
      "availability",
      "thumbnail", "thumbnails", "duration", "durationSeconds", "definition", "captions", "tags", "categoryId", "defaultLanguage",
      "defaultAudioLanguage", "liveBroadcastContent", "liveStreamingDetails", "madeForKids", "embeddable", "license", "statistics",
      "source",
      "requestId", "fetchedAt", "etag",
    ]
    #expect(try keys(record) == expected)
    #expect(try json(record)["thumbnail"]?.string == "h")
    #expect(record.url == "https://www.youtube.com/watch?v=v")
  }

  @Test func eventsAreAsTheContractShowsAndSurvive() throws {
    var event = RequestEvent(requestID: "r", kind: .failed, stage: .playlists, at: "t")
    event.totals = Totals(pages: 2, items: 100, units: 5)
    event.error = RequestEvent.Failure(code: "attemptsExhausted", message: "m")
    let expected =
      #"{"requestId":"r","type":"failed","stage":"playlists","at":"t","totals":{"pages":2,"items":100,"units":5},"#
      + #""error":{"code":"attemptsExhausted","message":"m"}}"#
    #expect(text(event) == expected)
    #expect(try RequestEvent(json: json(event)) == event)
    for kind in RequestEvent.Kind.allCases {
      let bare = RequestEvent(requestID: "r", kind: kind, stage: .videos, at: "t")
      #expect(try RequestEvent(json: json(bare)) == bare)
      #expect(bare.key == "r")
    }
    let null = try JSONDocument.parse(Array(#"{"requestId":"r","type":"page","stage":"videos","totals":null}"#.utf8)).root
    #expect(try RequestEvent(json: null).totals == nil)
  }

  @Test func whatARefreshHasToKnowSurvives() throws {
    var listing = Listing(requestID: "r", source: .uploads, playlistID: "UU")
    listing.startedAt = Date(timeIntervalSince1970: 1_796_000_000.123)
    listing.newest = KnownEntries(ids: ["b", "a"], unavailable: ["a"])
    listing.refresh = Refresh(known: KnownEntries(ids: ["a"]), lookBack: 25, met: 3)
    let request = PlaylistRequest(listing: listing, pageToken: "T", pageNumber: 2)
    #expect(try PlaylistRequest(json: json(request)) == request)
    #expect(
      text(request).contains(
        #""startedAt":"2026-11-30T00:53:20.123Z","newest":{"ids":["b","a"],"unavailable":["a"]},"#
          + #""refresh":{"known":{"ids":["a"]},"lookBack":25,"met":3},"options""#))
    var page = PlaylistPage(listing: listing, pageNumber: 2, items: [], last: true, truncatedBy: .since)
    page.fullPass = true
    #expect(try PlaylistPage(json: json(page)) == page)
  }

  @Test func aHeadKeepsSoManyEntriesAndEachOnce() {
    var head = KnownEntries()
    for id in ["c", "b", "c", "a"] { head.append(id, isAvailable: id != "b", upTo: 3) }
    head.append("z", isAvailable: false, upTo: 3)
    #expect(head == KnownEntries(ids: ["c", "b", "a"], unavailable: ["b"]))
  }

  @Test func unknownOptionsAreHandedOnAndUnknownFieldsIgnored() throws {
    let text = #"{"requestId":"r","playlistId":"UU","future":1,"options":{"enrich":false,"mood":{"a":[1,null]},"scope":"uploads"}}"#
    let request = try PlaylistRequest(json: JSONDocument.parse(Array(text.utf8)).root)
    #expect(request.listing.options.enrich == false)
    #expect(self.text(request).contains(#""mood":{"a":[1,null]}"#))
    #expect(!self.text(request).contains("future"))
    #expect(try PlaylistRequest(json: json(request)) == request)
  }

  @Test func reportsOfWorkersComeBackWhole() throws {
    var report = WorkerReport(stage: .playlists, worker: "w1", at: "t")
    #expect(try WorkerReport(json: json(report)) == report && report.key == "playlists/w1")
    report.host = "h"
    report.pid = 7
    report.outage = "503"
    report.held = 3
    report.recent = 70
    report.waitingForQuota = [WorkerReport.QuotaWait(bucket: "default", calls: 2, reason: "usedUp", until: "u")]
    report.totals.deadLettered = 4
    report.partitions = 3
    report.assignment = ["b": [0, 7], "a": [2]]
    #expect(try WorkerReport(json: json(report)) == report)
    #expect(text(report).contains(#""waitingForQuota":{"default":{"calls":2,"reason":"usedUp","until":"u"}}"#))
    #expect(text(report).contains(#""partitions":3,"assignment":{"a":[2],"b":[0,7]}"#))
    for wrong in [#""stage":"x""#, #""stage":"videos","assignment":{"a":7}"#, #""stage":"videos","assignment":{"a":["0"]}"#] {
      let text = #"{"worker":"w","at":"t",\#(wrong)}"#
      #expect(throws: PayloadError.self) { try WorkerReport(json: JSONDocument.parse(Array(text.utf8)).root) }
    }
  }
}
