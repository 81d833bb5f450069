import Messages
import Testing
import YouTubeAPI

@testable import TubelineCLI

@Suite("Reference list", .timeLimit(.minutes(1)))
struct ReferenceListTests {
  @Test func filesHoldOneNameALineWithCommentsAndBlankLines() {
    let names = ReferenceList.names(in: "\u{FEFF}Apple\r\n# a comment\n\n  @Google \n\thttps://youtu.be/x#t\n", of: "names.txt")
    #expect(
      names == [
        GivenName(text: "Apple", place: "names.txt:1"), GivenName(text: "@Google", place: "names.txt:4"),
        GivenName(text: "https://youtu.be/x#t", place: "names.txt:5"),
      ])
  }

  @Test func unusableNamesAreToldWithTheirPlace() {
    let list = ReferenceList([GivenName(text: "Apple", place: nil), GivenName(text: "https://vimeo.com/1", place: "names.txt:7")])
    #expect(list.entries.count == 1)
    #expect(list.problems.count == 1 && list.problems[0].hasPrefix("names.txt:7: \"https://vimeo.com/1\": "))
  }

  @Test func problemsDoNotMoveTheCursor() {
    let list = ReferenceList([GivenName(text: "\u{1B}[2J", place: nil)])
    #expect(list.problems.count == 1 && !list.problems[0].contains("\u{1B}"))
  }

  @Test func theSameReferenceIsTakenOnce() {
    let list = ReferenceList(
      ["@Google", "@google", "https://www.youtube.com/@GOOGLE/videos", "Google"].map { GivenName(text: $0, place: nil) })
    #expect(list.entries.map(\.name.text) == ["@Google", "Google"])
    #expect(list.repetitions == 2 && list.repetitionSentence("published") == "2 repeated names are published once.")
    let once = ReferenceList(["Apple", "apple"].map { GivenName(text: $0, place: nil) })
    #expect(once.repetitionSentence("harvested") == "1 repeated name is harvested once.")
  }

  @Test func aNameWithBlanksNeedsSearch() {
    let name = [GivenName(text: "swift kafka", place: nil)]
    let problems = ReferenceList(name).problems
    #expect(problems.count == 1 && problems[0].contains("--allow-search") && !problems[0].contains("allowSearch"))
    #expect(ReferenceList(name, allowSearch: true).entries.count == 1)
  }

  @Test(arguments: [
    ("swift kafka", "with blanks"), ("Mc'Donald", "with such signs"), (String(repeating: "a", count: 101), "longer than 100"),
  ])
  func theReasonIsTheNamesOwn(name: String, reason: String) {
    let problems = ReferenceList([GivenName(text: name, place: nil)]).problems
    #expect(problems.count == 1 && problems[0].contains(reason), "\(problems)")
  }

  @Test func anIDOfARequestIsOneLine() {
    #expect(RequestMessage.isUsable(id: "caf\u{E9} 1/2") && RequestMessage.isUsable(id: String(repeating: "a", count: 256)))
    for id in ["", "two\nlines", "\u{1B}[31m", String(repeating: "a", count: 257)] { #expect(!RequestMessage.isUsable(id: id)) }
  }

  @Test func aBareIDIsAVideoWhereOneIsAskedFor() throws {
    let names = ["AWmq5CQy8cA", "https://youtu.be/AWmq5CQy8cA", "https://youtu.be/dQw4w9WgXcQ"].map { GivenName(text: $0, place: nil) }
    let list = ReferenceList(names, scope: .video)
    #expect(list.problems.isEmpty && list.repetitions == 1)
    #expect(list.entries.map(\.reference) == [.video("AWmq5CQy8cA"), .video("dQw4w9WgXcQ")])
    let record = RequestMessage.record(try #require(list.entries.first), requestID: "r-1", options: RequestOptions(), prefix: "")
    #expect(try ChannelRequest(value: record.value).target == .video("AWmq5CQy8cA"))
    #expect(ReferenceList(names).entries.first?.reference == .name("AWmq5CQy8cA"))
  }

  @Test(arguments: ["Apple", "my cat", "@Google", "UCFtEEv80fQVKkD4h1PF-Xqw", "https://www.youtube.com/@Google"])
  func aChannelIsNoVideo(name: String) {
    let list = ReferenceList([GivenName(text: name, place: nil)], scope: .video)
    #expect(list.entries.isEmpty && list.problems.count == 1 && list.problems[0].contains("--scope video"), "\(list.problems)")
  }
}
