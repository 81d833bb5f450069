import Testing

@testable import Telemetry

@Suite("Help texts", .timeLimit(.minutes(1)))
struct HelpTextTests {
  @Test(arguments: [(nil, 80), (72, 72), (100, 100), (200, 100), (5, 24)] as [(Int?, Int)])
  func theWidthIsTheTerminalsAndAtMostAHundred(columns: Int?, width: Int) {
    #expect(HelpText.width(columns: columns) == width)
  }

  @Test func meaningsStandBesideNamesOrBelowThem() {
    let rows = [("--a", "one two"), ("--a-long-name", "three")]
    #expect(HelpText.list(rows, column: 12, width: 80) == "  --a       one two\n  --a-long-name\n            three\n")
    #expect(HelpText.list(rows, column: 12, width: 40) == "  --a\n      one two\n  --a-long-name\n      three\n")
  }

  @Test func paragraphsKeepToTheirWidth() {
    #expect(HelpText.paragraph("one two\nthree  four", width: 12, indent: 2) == "  one two\n  three four\n")
    #expect(HelpText.wrapped("a abcdefgh b", to: 5) == ["a", "abcdefgh", "b"])
  }
}
