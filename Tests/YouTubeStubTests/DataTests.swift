import JSON
import TestSupport
import Testing

@testable import YouTubeStub

@Suite(.timeLimit(.minutes(2))) struct DataTests {
  @Test func googleHas1636UploadsAndTheTruthSaysWhatTheListsGive() async throws {
    let client = try StubClient()
    for title in ["Google", "Apple", "Hidden Counts"] {
      let truth = try await client.truth(title)
      let uploads = try #require(truth["uploadsPlaylistId"]?.string)
      let items = try await client.all("playlistItems?part=snippet,contentDetails,status&maxResults=50&playlistId=\(uploads)")
      #expect(items.count == truth["listed"]?.int)
      #expect(title != "Google" || items.count == 1_636)
      let ids = items.compactMap { $0["contentDetails"]?["videoId"]?.string }
      #expect(Set(ids).count == items.count)
      let dates = items.compactMap { $0["snippet"]?["publishedAt"]?.string }
      #expect(dates == dates.sorted(by: >))
      var available = 0
      for start in stride(from: 0, to: ids.count, by: 50) {
        let asked = ids[start..<min(start + 50, ids.count)]
        let found = try await client.json("videos?part=id&id=\(asked.joined(separator: ","))")["items"]?.elements ?? []
        available += found.count
      }
      #expect(available == truth["available"]?.int)
      for placeholder in ["Private video", "Deleted video"] where title != "Hidden Counts" {
        let item = try #require(items.first { $0["snippet"]?["title"]?.string == placeholder })
        #expect(item["snippet"]?["thumbnails"] == .object([]))
        #expect(item["snippet"]?["videoOwnerChannelId"] == nil)
        #expect(item["contentDetails"]?.members?.map(\.key) == ["videoId"])
      }
    }
    await client.stub.stop()
  }

  @Test func theListsOrderIsNotTheAskedOneAndUnknownIdsAreLeftOut() async throws {
    let client = try StubClient()
    let items = try await client.json("playlistItems?part=contentDetails&maxResults=20&playlistId=\(StubClient.googleUploads)")["items"]?
      .elements
    let ids = try #require(
      items?.compactMap { $0["contentDetails"] }.filter { $0["videoPublishedAt"] != nil }.compactMap { $0["videoId"]?.string })
    let found = try await client.json("videos?part=id&id=\((ids + ids + ["unknown-one"]).joined(separator: ","))")
    let foundIDs = found["items"]?.elements?.compactMap { $0["id"]?.string } ?? []
    #expect(Set(foundIDs) == Set(ids))
    #expect(foundIDs != ids)
    #expect(found["pageInfo"]?["totalResults"]?.int == ids.count)
    await client.stub.stop()
  }

  @Test func nothingFoundHasNoItemsForChannelsAndEmptyOnesElsewhere() async throws {
    let client = try StubClient()
    for target in [
      "channels?part=id&id=UCaaaaaaaaaaaaaaaaaaaaaa", "channels?part=id&forHandle=@terminated-channel", "channels?part=id&forUsername=x",
    ] {
      let answer = try await client.json(target)
      #expect(answer["items"] == nil)
      #expect(answer["pageInfo"]?["totalResults"]?.int == 0)
    }
    #expect(try await client.json("videos?part=id&id=aaaaaaaaaaa")["items"] == [])
    await client.stub.stop()
  }

  @Test(arguments: ["forHandle=Google", "forHandle=@google", "forHandle=%40GOOGLE", "forUsername=google", "id=UCK8sQmJBp8GCxrOtXWBpyEA"])
  func aChannelIsFoundByEachOfItsNames(_ filter: String) async throws {
    let client = try StubClient()
    let channel = try await client.json("channels?part=snippet,statistics,contentDetails&\(filter)")["items"]?.elements?.first
    #expect(channel?["id"]?.string == StubClient.google)
    #expect(channel?["statistics"]?["videoCount"]?.string == "1587")
    #expect(channel?["contentDetails"]?["relatedPlaylists"]?["uploads"]?.string == StubClient.googleUploads)
    await client.stub.stop()
  }

  @Test func theBigChannelIsCutAt20000AndTheEmptyOneHasNoList() async throws {
    let client = try StubClient()
    let truth = try await client.truth("Big News")
    #expect(truth["videos"]?.int == 20_500)
    #expect(truth["listed"]?.int == 20_000)
    let uploads = try #require(truth["uploadsPlaylistId"]?.string)
    let last = PageToken(offset: 19_950).text
    let page = try await client.json("playlistItems?part=snippet&maxResults=50&playlistId=\(uploads)&pageToken=\(last)")
    #expect(page["items"]?.elements?.last?["snippet"]?["position"]?.int == 19_999)
    #expect(page["nextPageToken"] == nil)
    let empty = try #require(try await client.truth("Nothing Yet")["uploadsPlaylistId"]?.string)
    #expect(try await client.refusal("playlistItems?part=id&playlistId=\(empty)") == "404 playlistNotFound")
    await client.stub.stop()
  }

  @Test func theSameSeedGivesTheSameAndAnotherSeedOtherVideos() async throws {
    let list = "playlistItems?part=snippet&playlistId=\(StubClient.googleUploads)"
    let (first, second, other) = (try StubClient(), try StubClient(), try StubClient { $0.seed = 2 })
    let answer = try await first.get(list).text
    #expect(try await second.get(list).text == answer)
    #expect(try await other.get(list).text != answer)
    for client in [first, second, other] { await client.stub.stop() }
  }

  @Test func everyFormOfDurationAndEveryAbsenceOccurs() async throws {
    let generator = Generator()
    let channel = try #require(generator.generatedChannel(id: StubClient.google))
    let videos = (0..<1_636).map { channel.video(at: $0) }
    let durations = Set(videos.map { $0.duration ?? "absent" })
    for form in ["PT4M", "PT1H", "PT0S", "P0D", "P3W3DT20H31M21S", "absent"] { #expect(durations.contains(form), "\(form)") }
    #expect(durations.contains { $0.hasPrefix("P1DT2H") })
    #expect(videos.contains { $0.viewCount == nil } && videos.contains { $0.viewCount ?? 0 > 1 << 32 })
    #expect(videos.contains { $0.broadcast == .upcoming } && videos.contains { $0.broadcast == .live })
    #expect(Set(videos.map { Thumbnails.count($0.serial) }) == [0, 1, 3, 4, 5, 6, 8])
    #expect(videos.contains { Words.tags($0.serial, $0.hash) == nil })
  }

  @Test func numberedChannelsCostNothingUntilAskedFor() async throws {
    let client = try StubClient {
      $0.channels = 100_000
      $0.videosPerChannel = 1_000_000
    }
    let channel = try await client.json("channels?part=snippet,statistics&forHandle=stub-channel-99999")["items"]?.elements?.first
    let id = try #require(channel?["id"]?.string)
    #expect(try await client.json("channels?part=id&id=\(id)")["items"]?.elements?.count == 1)
    let page = try await client.json("playlistItems?part=snippet&playlistId=UU\(id.dropFirst(2))")
    #expect(page["pageInfo"]?["totalResults"]?.int == 20_000)
    await client.stub.stop()
  }

  @Test func ordinaryPlaylistsHoldTheirNumberAndAreFoundByChannel() async throws {
    let client = try StubClient()
    let lists = try await client.json("playlists?part=contentDetails&channelId=\(StubClient.google)")["items"]?.elements
    let id = try #require(lists?.first?["id"]?.string)
    let items = try await client.all("playlistItems?part=contentDetails&maxResults=50&playlistId=\(id)")
    #expect(items.count == lists?.first?["contentDetails"]?["itemCount"]?.int)
    let itemID = try #require(items.last?["id"]?.string)
    #expect(try await client.json("playlistItems?part=contentDetails&id=\(itemID)")["items"]?.elements?.first == items.last)
    await client.stub.stop()
  }

  @Test(arguments: ["short", "medium", "long"]) func searchHeedsTheLengthOfVideos(length: String) async throws {
    let client = try StubClient()
    let hits = try await client.json("search?part=id&type=video&videoDuration=\(length)&maxResults=50&channelId=\(StubClient.google)")
    let ids = (hits["items"]?.elements ?? []).compactMap { $0["id"]?["videoId"]?.string }
    let videos = try await client.json("videos?part=contentDetails&id=\(ids.joined(separator: ","))")["items"]?.elements ?? []
    #expect(ids.count == 50 && videos.count == 50)
    let isShort = videos.map { !($0["contentDetails"]?["duration"]?.string ?? "").contains(/[HWD]|[0-9]{2}M|[4-9]M/) }
    #expect(isShort.allSatisfy { $0 == (length == "short") }, "\(videos)")
    await client.stub.stop()
  }

  @Test func searchEscapesAndShortensAndEndsWithAnEmptyPage() async throws {
    let client = try StubClient()
    var pages: [JSONTree] = []
    var token: String?
    repeat {
      let target =
        "search?part=snippet&type=video&order=date&maxResults=50&channelId=\(StubClient.google)" + (token.map { "&pageToken=\($0)" } ?? "")
      pages.append(try await client.json(target))
      token = pages.last?["nextPageToken"]?.string
    } while token != nil
    let counts = pages.map { $0["items"]?.elements?.count ?? -1 }
    #expect(counts.last == 0)
    #expect(counts.dropLast().contains(47))
    #expect(counts.reduce(0, +) == 500)
    let snippets = pages.flatMap { $0["items"]?.elements ?? [] }.compactMap { $0["snippet"] }
    let titles = snippets.compactMap { $0["title"]?.string }
    #expect(titles.contains("Q&amp;A: &lt;b&gt;&quot;Swift&quot;&lt;/b&gt; isn&#39;t &gt; C++? It&#39;s &lt; 5 min"))
    #expect(snippets.allSatisfy { $0["publishTime"] == $0["publishedAt"] && $0["thumbnails"]?["standard"] == nil })
    #expect(try await client.statistics()["units"]?["default"]?.int == 0)
    await client.stub.stop()
  }
}
