import Testing
import YouTubeAPI

@Suite("References", .timeLimit(.minutes(1)))
struct ReferenceTests {
  static let id = "UCK8sQmJBp8GCxrOtXWBpyEA"
  static let list = "PLpjK416fmKwQlQ0KvTWFmXZZa3d4IO2ro"

  @Test(arguments: [
    ("Apple", Reference.name("Apple")),
    ("  Apple\r\n", .name("Apple")),
    ("\u{FEFF}Apple\u{200B}", .name("Apple")),
    ("\"Apple\"", .name("Apple")),
    ("Dr.Dre_1-x", .name("Dr.Dre_1-x")),
    ("日本語チャンネル", .name("日本語チャンネル")),
    ("dirtybiology", .name("dirtybiology")),
    ("UCLA", .name("UCLA")),
    ("live", .name("live")),
    ("@Apple", .handle("Apple")),
    ("@Apple/videos", .handle("Apple")),
    ("@Apple?si=abc", .handle("Apple")),
    ("@MrBeast日本", .handle("MrBeast日本")),
    ("@%E6%97%A5%E6%9C%AC", .handle("日本")),
    ("@फ़िल्म", .handle("फ़िल्म")),
    (id, .id(id)),
    (list, .playlist(list)),
    ("UUK8sQmJBp8GCxrOtXWBpyEA", .playlist("UUK8sQmJBp8GCxrOtXWBpyEA")),
  ])
  func namesAndIdsAreReadAsWritten(text: String, expected: Reference) throws {
    #expect(try Reference.parse(text) == expected)
  }

  @Test(arguments: [
    ("https://www.youtube.com/channel/\(id)", Reference.id(id)),
    ("youtube.com/channel/\(id)/videos?view=0", .id(id)),
    ("HTTPS://WWW.YouTube.COM/channel/\(id)/", .id(id)),
    ("//m.youtube.com/channel/\(id)#top", .id(id)),
    ("https://music.youtube.com/channel/\(id)", .id(id)),
    ("https://gaming.youtube.com:443/channel/\(id)", .id(id)),
    ("channel/\(id)", .id(id)),
    ("https://www.youtube.com/@Google", .handle("Google")),
    ("https://youtube.com/@Google/shorts", .handle("Google")),
    ("www.youtube.com/%40Google/featured", .handle("Google")),
    ("https://www.youtube.com/@%D0%BA%D0%B8%D0%BD%D0%BE?si=x", .handle("кино")),
    ("https://www.youtube.com/c/skate702", .customName("skate702")),
    ("https://www.youtube.com/user/SkAtE702/about", .username("SkAtE702")),
    ("https://www.youtube.com/AphmauGaming", .name("AphmauGaming")),
    ("youtube.com/AphmauGaming/videos", .name("AphmauGaming")),
    ("https://www.youtube.com/watch?v=BVGKskYZrw8", .video("BVGKskYZrw8")),
    ("https://www.youtube.com/watch?feature=share&v=BVGKskYZrw8&t=1s", .video("BVGKskYZrw8")),
    ("https://www.youtube.com/watch?v=BVGKskYZrw8&list=\(list)", .video("BVGKskYZrw8")),
    ("https://www.youtube.com/watch?list=\(list)", .playlist(list)),
    ("watch?v=BVGKskYZrw8", .video("BVGKskYZrw8")),
    ("https://youtu.be/BVGKskYZrw8?t=3", .video("BVGKskYZrw8")),
    ("youtu.be/BVGKskYZrw8/", .video("BVGKskYZrw8")),
    ("https://youtube.com/shorts/j6bTvzE0Xtk?feature=share", .video("j6bTvzE0Xtk")),
    ("https://www.youtube.com/live/j6bTvzE0Xtk?feature=share", .video("j6bTvzE0Xtk")),
    ("https://www.youtube-nocookie.com/embed/j6bTvzE0Xtk?start=30", .video("j6bTvzE0Xtk")),
    ("https://www.youtube.com/v/j6bTvzE0Xtk", .video("j6bTvzE0Xtk")),
    ("https://www.youtube.com/embed/videoseries?list=\(list)", .playlist(list)),
    ("https://www.youtube.com/embed/live_stream?channel=\(id)", .id(id)),
    ("https://www.youtube.com/playlist?list=\(list)&si=x", .playlist(list)),
    ("https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3DBVGKskYZrw8%26feature%3Dshare", .video("BVGKskYZrw8")),
    ("<https://www.youtube.com/@Google>", .handle("Google")),
  ])
  func addressesAreReadByTheirPathSegments(text: String, expected: Reference) throws {
    #expect(try Reference.parse(text) == expected)
    if text.contains("://") { #expect(try Reference.parse(text, as: .url) == expected) }
  }

  @Test(arguments: [
    "https://vimeo.com/123", "https://youtube.com.evil.example/@Google", "https://youtube.com@evil.example/@Google",
    "https://notyoutube.com/@Google", "evil.example/@Google", "/youtube.com/@Google", "ftp://youtube.com/@Google", "javascript:alert(1)",
    "https://www.youtube.com", "youtube.com/", "https://www.youtube.com/feed/trending", "https://www.youtube.com/results?search_query=x",
    "https://www.youtube.com/watch", "https://www.youtube.com/watch?v=", "https://www.youtube.com/playlist",
    "https://www.youtube.com/premium",
    "https://www.youtube.com/channel/", "https://www.youtube.com/c/", "https://www.youtube.com/shorts", "https://youtu.be/",
    "https://www.youtube.com/about", "https://www.youtube.com/robots.txt", "https://www.youtube.com/watch?v=a%00b", "youtube.com/%FF",
    "youtube.com/a\u{0}b", "App\u{0}le", "App\nle", "App\u{7}le", "@", "@/", "@ Apple", "@a b", "Apple Inc", "foo@bar.com", "a/b", "/",
    "...",
    "👍", "%%%", "{\"channel\":1}", "\u{FFFD}\u{FFFD}", "https://", "://", "?", "#",
    "https://www.youtube.com/attribution_link?u=%2Fattribution_link%3Fu%3D%252Fx",
    "https://www.youtube.com/attribution_link?u=//evil.example",
    String(repeating: "a", count: 2001), String(repeating: "a", count: 101), String(repeating: "é", count: 1_000_000),
  ])
  func otherTextsAreUnknownWithASentence(text: String) {
    let error = #expect(throws: ReferenceError.self) { try Reference.parse(text) }
    #expect(error?.code == .unknownReference)
    #expect(error?.message.contains("@handle") == true)
  }

  @Test(arguments: ["", " ", "\n\t ", "\u{FEFF}", "\"\"", "< >"])
  func nothingButBlanksIsAnEmptyMessage(text: String) {
    #expect(throws: ReferenceError.self) { try Reference.parse(text) }
    do { _ = try Reference.parse(text) } catch { #expect(error.code == .emptyMessage) }
  }

  @Test func aNameWithBlanksIsSearchTextOnlyWhenSearchIsAllowed() throws {
    let reference = try Reference.parse("Apple Inc", allowSearch: true)
    #expect(reference == .name("Apple Inc"))
    #expect(reference.isSearchText)
    #expect(try !Reference.parse("Apple").isSearchText)
  }

  @Test(arguments: [
    (ReferenceForm.id, "dirtybiology", Reference.id("dirtybiology")),
    (.handle, "Google", .handle("Google")), (.handle, "@Google", .handle("Google")),
    (.username, "SkAtE702", .username("SkAtE702")), (.video, "BVGKskYZrw8", .video("BVGKskYZrw8")),
    (.playlist, "PLx", .playlist("PLx")), (.url, "youtu.be/BVGKskYZrw8", .video("BVGKskYZrw8")), (.channel, "Apple", .name("Apple")),
  ])
  func explicitFormsAreTakenAtTheirWord(form: ReferenceForm, text: String, expected: Reference) throws {
    #expect(try Reference.parse(text, as: form) == expected)
  }

  @Test(arguments: [
    (ReferenceForm.id, "a,b"), (.id, "a b"), (.video, "a/b"), (.playlist, "a&b"), (.handle, "a b"), (.username, "a/b"), (.url, "Apple"),
  ])
  func explicitFormsRefuseWhatCannotBe(form: ReferenceForm, text: String) {
    #expect(throws: ReferenceError.self) { try Reference.parse(text, as: form) }
  }

  @Test(arguments: [
    ("@Google", "https://www.youtube.com/@GOOGLE/videos"), ("Apple", "apple"), ("youtube.com/user/SkAtE702", "youtube.com/user/skate702"),
    ("@Caf\u{E9}", "@caf\u{E9}"), ("youtu.be/BVGKskYZrw8", "https://youtube.com/watch?v=BVGKskYZrw8"),
    ("youtube.com/c/Name", "https://m.youtube.com/c/name/"), ("youtube.com/playlist?list=PLx", "playlist?list=PLx"),
  ])
  func spellingsOfOneReferenceHaveOneKey(left: String, right: String) throws {
    let key = try Reference.parse(left).normalised
    #expect(Array(key.utf8) == Array(try Reference.parse(right).normalised.utf8))
    #expect(try Reference.parse(key).normalised == key)
  }

  @Test(arguments: ["'\"a b\"'", "“<x>”", "\"'“<a b>”'\"", "İstanbul" + String(repeating: "İ", count: 92)])
  func theKeyOfAnyTextIsItsOwnKey(text: String) throws {
    let key = try Reference.parse(text, allowSearch: true).normalised
    #expect(Array(try Reference.parse(key, allowSearch: true).normalised.utf8) == Array(key.utf8))
  }

  @Test func aHostInThePathIsNoName() {
    #expect(throws: ReferenceError.self) { try Reference.parse("/youtube.com./shorts/BVGKskYZrw") }
  }

  @Test func aCustomNameAndAUserNameAreDifferent() throws {
    #expect(try Reference.parse("youtube.com/c/skate702").normalised != Reference.parse("youtube.com/user/SkAtE702").normalised)
  }
}
