import JSON
import Testing

@testable import YouTubeStub

@Suite(.timeLimit(.minutes(1))) struct PageTokenTests {
  @Test(arguments: [(5, "CAUQAA"), (50, "CDIQAA"), (0, "CAAQAA"), (450, "CMIDEAA"), (19_950, "CO6bARAA")])
  func isTheApisText(_ offset: Int, _ text: String) {
    #expect(PageToken(offset: offset).text == text)
    #expect(PageToken(text) == PageToken(offset: offset))
  }

  @Test(arguments: ["", "x", "CDIQ", "CDIQAB", "CDIQAC", "CDIQAA=", "CDIQAA ", "!!!!!!", "CIAAEAA", "////////////////"])
  func anythingElseIsNone(_ text: String) { #expect(PageToken(text) == nil) }

  @Test func pagesCoverTheListForthAndBack() {
    let second = Page(token: PageToken(offset: 50), size: 50, total: 67)
    #expect(second.range == 50..<67 && second.next == nil && second.previous == "CDIQAQ")
    let first = Page(token: PageToken("CDIQAQ"), size: 50, total: 67)
    #expect(first.range == 0..<50 && first.next == "CDIQAA" && first.previous == nil)
    #expect(Page(token: PageToken(offset: 100), size: 50, total: 67).range.isEmpty)
    #expect(Page(token: nil, size: 0, total: 67).next == nil)
  }
}

@Suite struct FieldMaskTests {
  @Test(arguments: ["", ",", "a,", "a(", "a()", "a(b", "a)b", "a/", "/a", "a b", "a(b))"])
  func whatIsNoMaskIsRefused(_ text: String) {
    #expect(throws: FieldMask.SyntaxError.self) { try FieldMask.parse(text) }
  }

  @Test func formsThatMeanTheSameAreEqual() throws {
    #expect(try FieldMask.parse("a/b,a/c") == FieldMask.parse("a(b,c)"))
    #expect(try FieldMask.parse("a(b/c, d)") == FieldMask.parse("a/b/c,a/d"))
    #expect(try FieldMask.parse("a/b,a") == FieldMask.parse("a"))
  }

  @Test func theFirstUnknownPathIsNamed() throws {
    let schema = try FieldMask.parse("a(b,c(d)),e")
    #expect(try FieldMask.parse("a/b,e,*").firstUnknownPath(in: schema) == nil)
    #expect(try FieldMask.parse("e,a(b,c/x)").firstUnknownPath(in: schema) == "a/c/x")
    #expect(try FieldMask.parse("e/anything").firstUnknownPath(in: schema) == nil)
  }

  @Test func everyMethodHasASchema() { for method in Method.all { #expect(!method.schema.members.isEmpty, "\(method.name)") } }
}

@Suite struct IdentifierTests {
  @Test(arguments: [0, 1, 63, 1 << 19])
  func idsAreReadBackAndOthersAreNot(_ channel: Int) {
    let identifiers = Identifiers(seed: 7)
    let video = identifiers.video(channel: channel, serial: 12_345)
    #expect(video.count == 11 && identifiers.video(video)?.channel == channel && identifiers.video(video)?.serial == 12_345)
    #expect(identifiers.channel(channel).count == 24 && identifiers.channel(identifiers.channel(channel)) == channel)
    let playlist = identifiers.playlist(channel: channel, number: 3)
    #expect(playlist.count == 34 && identifiers.playlist(playlist)?.channel == channel && identifiers.playlist(playlist)?.number == 3)
    #expect(identifiers.place(identifiers.place(99)) == 99)
    #expect(Identifiers(seed: 8).video(video) == nil)
    #expect(identifiers.video("dQw4w9WgXcQ") == nil && identifiers.channel("UC_x5XG1OV2P6uZZ5FSM9Ttw") == nil)
  }
}

@Suite struct UploadsTests {
  @Test func countsAndPlacesAgreeWithAWalkAfterRemovals() {
    var changes = UploadChanges()
    changes.added = 5
    changes.remove([0, 23, 304, 303, 302, 150, 151, 47, 71])
    let uploads = Uploads(base: 300, changes: changes)
    let serials = (0..<uploads.count).map { uploads.serial(at: $0) }
    #expect(serials == (0..<305).reversed().filter { !changes.removed.contains($0) })
    #expect(serials.allSatisfy { uploads.holds($0) } && !uploads.holds(304) && !uploads.holds(305) && !uploads.holds(-1))
    #expect(serials.enumerated().allSatisfy { uploads.place(of: $1) == $0 })
    #expect(uploads.publicCount == serials.count { uploads.availability($0) == .public })
    #expect(uploads.availableCount == serials.count { [.public, .unlisted].contains(uploads.availability($0)) })
  }
}

@Suite struct CivilTimeTests {
  @Test(arguments: [(0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (1_796_083_199, "2026-11-30T23:59:59Z")])
  func isWrittenAndRead(_ seconds: Int, _ text: String) {
    #expect(CivilTime.text(seconds) == text)
    #expect(CivilTime.seconds(text) == seconds)
  }

  @Test func offsetsAndFractionsAreRead() {
    #expect(CivilTime.seconds("1970-01-01T02:00:00.5+02:00") == 0)
    for text in ["", "1970-01-01", "1970-13-01T00:00:00Z", "1970-01-01T00:00:00", "1970-01-01T00:00:00+2"] {
      #expect(CivilTime.seconds(text) == nil)
    }
  }

  @Test(arguments: [
    ("2026-11-30T07:59:59Z", "2026-11-30T08:00:00Z"), ("2026-07-01T06:59:59Z", "2026-07-01T07:00:00Z"),
    ("2026-03-08T07:59:59Z", "2026-03-08T08:00:00Z"), ("2026-03-09T06:59:59Z", "2026-03-09T07:00:00Z"),
    ("2026-11-01T06:59:59Z", "2026-11-01T07:00:00Z"), ("2026-11-02T07:59:59Z", "2026-11-02T08:00:00Z"),
  ])
  func thePacificDayBeginsAtMidnightInLosAngeles(_ before: String, _ after: String) throws {
    let (before, after) = (try #require(CivilTime.seconds(before)), try #require(CivilTime.seconds(after)))
    #expect(CivilTime.pacificDay(before) + 1 == CivilTime.pacificDay(after))
  }

  @Test func theQuotaIsWholeAgainAtTheReset() throws {
    let reset = try #require(CivilTime.seconds("2026-11-30T08:00:00Z"))
    var quota = QuotaBuckets(default: 1)
    let taken = [reset - 1, reset - 1, reset, reset].map { quota.take(.default, now: $0) }
    #expect(taken == [true, false, true, false])
  }
}
