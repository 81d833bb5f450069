import JSON
import Testing

@testable import YouTubeAPI

@Suite("Decoding", .timeLimit(.minutes(1)))
struct DecodingTests {
  private func root(_ text: String) throws -> JSONValue { try JSONDocument.parse(Array(text.utf8)).root }
  private func fixture(_ name: String) throws -> JSONValue { try JSONDocument.parse(Fixtures.bytes(name + ".json")).root }

  @Test(.enabled(if: Fixtures.areThere, "there are no recorded answers"))
  func recordedPagesOfAPlaylistAreReadWhole() throws {
    let first = try #require(
      try ListAnswer(fixture("playlistItems_page1_of_2_50_of_67"), of: .playlistItemsList, decode: PlaylistItem.init))
    #expect(first.items.count == 50)
    #expect(first.skipped == 0)
    #expect(first.nextPageToken == "CDIQAA")
    #expect(first.totalResults == 67)
    #expect(first.items[0].videoID == "QVVk3tnrVmQ")
    #expect(first.items[0].position == 0)
    #expect(first.items[0].addedAt == "2020-01-30T18:20:58.000Z")
    #expect(first.items[0].thumbnails.map(\.name) == ["default", "medium", "high", "standard", "maxres"])
    #expect(first.items.allSatisfy { $0.availability == .public })
    let second = try #require(
      try ListAnswer(fixture("playlistItems_page2_of_2_17_of_67"), of: .playlistItemsList, decode: PlaylistItem.init))
    #expect(second.items.count == 17)
    #expect(second.nextPageToken == nil)
  }

  @Test(.enabled(if: Fixtures.areThere, "there are no recorded answers"))
  func recordedChannelsVideosAndHitsAreRead() throws {
    let channels = try #require(try ListAnswer(fixture("channels_by_id_2018_all_parts"), of: .channelsList, decode: Channel.init)).items
    #expect(channels.map(\.id) == ["UC_x5XG1OV2P6uZZ5FSM9Ttw"])
    #expect(channels[0].uploadsPlaylistID == "UU_x5XG1OV2P6uZZ5FSM9Ttw")
    #expect(channels[0].subscriberCount == 1_613_009)
    let videos = try #require(try ListAnswer(fixture("videos_all_parts_two_2023_contentRating"), of: .videosList, decode: Video.init)).items
    #expect(videos.map(\.likeCount) == [391_633, 1152])
    #expect(videos.map(\.captions) == [true, true])
    #expect(videos.map(\.duration) == ["PT21M3S", "PT1M30S"])
    let hits = try #require(try ListAnswer(fixture("search_by_channel_50_entities"), of: .searchList, decode: SearchResult.init)).items
    #expect(hits.contains { $0.title == "Nate Boyer's Story: From Green Beret to Starting Lineup" })
    let mixed = try #require(try ListAnswer(fixture("search_mixed_videos_playlists"), of: .searchList, decode: SearchResult.init)).items
    #expect(Set(mixed.map(\.kind)) == [.video, .playlist])
    let none = try #require(try ListAnswer(fixture("channels_mine_none_items_key_missing_25"), of: .channelsList, decode: Channel.init))
    #expect(none.items.isEmpty)
  }

  @Test(arguments: [
    ("{}", false), ("[]", false), ("7", false), (#"{"items":[]}"#, true), (#"{"kind":"youtube#channelListResponse"}"#, true),
    (#"{"kind":"youtube#channelListResponse","items":null}"#, true), (#"{"kind":"youtube#videoListResponse","items":[]}"#, false),
    (#"{"items":{}}"#, false), (#"{"items":"x","kind":"youtube#channelListResponse"}"#, false), (#"{"kind":7,"items":[]}"#, false),
    (#"{"pageInfo":{"totalResults":0}}"#, false),
  ])
  func nothingFoundIsToldFromGarbage(text: String, isAnswer: Bool) throws {
    #expect((ListAnswer(try root(text), of: .channelsList, decode: Channel.init) != nil) == isAnswer)
  }

  @Test func oneOddItemCostsOnlyItself() throws {
    let text = """
      {"items":[{"contentDetails":{"videoId":"a"}},null,7,{},{"contentDetails":{"videoId":""}},{"contentDetails":{"videoId":"a,b"}},
      {"snippet":{"resourceId":{"videoId":"b"},"title":7,"position":"x","publishedAt":"yesterday","thumbnails":[1]}}]}
      """
    let answer = try #require(ListAnswer(try root(text), of: .playlistItemsList, decode: PlaylistItem.init))
    #expect(answer.items == [PlaylistItem(videoID: "a"), PlaylistItem(videoID: "b")])
    #expect(answer.skipped == 5)
  }

  static let placeholder = #""description":"This video is private.","thumbnails":{}"#
  static let owner = #""videoOwnerChannelId":"UCx","thumbnails":{}"#

  @Test(arguments: [
    (#"{"snippet":{"title":"Private video",\#(placeholder)},"status":{"privacyStatus":"private"}}"#, Availability.private, false),
    (#"{"snippet":{"title":"Private video",\#(placeholder)}}"#, .private, false),
    (#"{"snippet":{"title":"Deleted video",\#(placeholder)},"status":{"privacyStatus":"privacyStatusUnspecified"}}"#, .deleted, false),
    (#"{"snippet":{"title":"Deleted video",\#(placeholder)},"status":{"privacyStatus":"private"}}"#, .deleted, false),
    (#"{"snippet":{"title":"Private video",\#(owner)},"status":{"privacyStatus":"public"}}"#, .public, true),
    (#"{"snippet":{"title":"Deleted video",\#(owner)},"status":{"privacyStatus":"public"}}"#, .public, true),
    (#"{"snippet":{"title":"My own",\#(owner)},"status":{"privacyStatus":"private"}}"#, .private, true),
    (#"{"snippet":{"title":"Hidden",\#(owner)},"status":{"privacyStatus":"unlisted"}}"#, .unlisted, true),
    (#"{"snippet":{"title":"No status",\#(owner)}}"#, .unknown, true),
    (#"{"snippet":{"title":"Other",\#(placeholder)}}"#, .unknown, true),
  ])
  func aPlaceholderIsKnownByMoreThanItsTitle(item: String, expected: Availability, keepsTitle: Bool) throws {
    let text = item.dropLast() + #","contentDetails":{"videoId":"a"}}"#
    let read = try #require(PlaylistItem(try root(String(text))))
    #expect(read.availability == expected)
    #expect((read.title != nil) == keepsTitle)
  }

  @Test func hiddenCountsAreAbsentAndNotZero() throws {
    let channel = try #require(
      Channel(try root(#"{"id":"UCx","statistics":{"viewCount":"8706674678","subscriberCount":"0","hiddenSubscriberCount":true}}"#)))
    #expect(channel.viewCount == 8_706_674_678)
    #expect(channel.subscriberCount == nil)
    #expect(channel.videoCount == nil)
    let video = try #require(Video(try root(#"{"id":"x","statistics":{"viewCount":"12","likeCount":7,"commentCount":"-1"}}"#)))
    #expect((video.viewCount, video.likeCount) == (12, 7))
    #expect(video.commentCount == nil)
    #expect(try #require(Channel(try root(#"{"id":"UCx","contentDetails":{"relatedPlaylists":{"uploads":""}}}"#))).uploadsPlaylistID == nil)
  }

  @Test(arguments: [
    ("2007-08-23T00:34:43Z", "2007-08-23T00:34:43Z"), ("2007-08-23T00:34:43.212Z", "2007-08-23T00:34:43.212Z"),
    ("2007-08-23T02:34:43+02:00", "2007-08-23T00:34:43Z"), ("2007-08-23t00:34:43z", "2007-08-23T00:34:43Z"),
    ("2007-08-23", nil), ("", nil), ("2007-13-23T00:34:43Z", nil), ("2007-08-23 00:34:43Z", nil),
  ])
  func timesAreInUTCOrAbsent(text: String, expected: String?) {
    #expect(APITime.normalised(text) == expected)
  }

  @Test(arguments: [
    ("Tom &amp; Jerry&#39;s &quot;x&quot;", "Tom & Jerry's \"x\""), ("&amp;lt;", "&lt;"), ("&#x1F44D;&#128077;", "👍👍"),
    ("a & b; c", "a & b; c"),
    ("&unknown;&#0;&#xD800;&#;&#x;&", "&unknown;&#0;&#xD800;&#;&#x;&"), ("&amp", "&amp"), ("&#+39;", "&#+39;"),
    ("e\u{301}&amp;\u{301}", "e\u{301}&\u{301}"),
  ])
  func characterReferencesAreReplacedOnce(text: String, expected: String) {
    #expect(PlainText.unescaped(text) == expected)
  }

  @Test(arguments: [
    (#"{"kind":"youtube#video","videoId":"a"}"#, SearchResult(kind: .video, id: "a")),
    (#"{"kind":"youtube#channel","channelId":"c"}"#, SearchResult(kind: .channel, id: "c")),
    (#"{"kind":"youtube#playlist","playlistId":"p"}"#, SearchResult(kind: .playlist, id: "p")),
    (#"{"videoId":"a"}"#, SearchResult(kind: .video, id: "a")), (#"{"kind":"youtube#movie","videoId":"a"}"#, nil),
    (#"{"kind":"youtube#video","channelId":"c"}"#, nil), (#""a""#, nil),
  ])
  func theKindOfAHitSaysWhichIdCounts(id: String, expected: SearchResult?) throws {
    #expect(SearchResult(try root(#"{"id":\#(id)}"#)) == expected)
  }
}
