import Messages
import Testing

@testable import TubelineCLI

@Suite("What a harvest shows", .timeLimit(.minutes(1)))
struct HarvestTableTests: HarvestScene {
  @Test(arguments: [40, 50, 80]) func theTableFitsAndTellsEveryReasonWhole(width: Int) {
    var state = published(2)
    state.receive(event(.notFound, "r0") { $0.error = .init(code: "c", message: "no channel has such a handle, and no user either") })
    state.receive(completed(0, "r1"))
    let text = HarvestTable.text(state, width: width)
    #expect(text.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= width }, "\(text)")
    let words = text.split { $0 == " " || $0.isNewline }.joined(separator: " ")
    #expect(words.contains("notFound: no channel has such a handle, and no user either"), "\(text)")
    #expect(text.hasPrefix("name") && text.contains("videos") && text.contains("status"), "\(text)")
  }

  @Test func aSuccessfulHarvestEndsWithItsTable() {
    var state = published(2)
    for id in ["r0", "r1"] {
      state.receive(event(.resolved, id) { $0.title = "A channel" })
      state.receive(completed(0, id))
    }
    let lines = HarvestTable.text(state, width: 80).split(separator: "\n")
    #expect(lines.count == 4 && lines[0].hasPrefix("channel") && lines[3].hasPrefix("total"), "\(lines)")
    #expect(!lines[0].contains("searches"))
  }

  @Test func searchesHaveAColumnOfTheirOwn() {
    var state = published()
    state.receive(event(.completed) { $0.totals = Totals(pages: 1, units: 3, searches: 1) })
    let lines = HarvestTable.text(state, width: 80).split(separator: "\n")
    #expect(lines[0].hasSuffix("units  searches") && lines[1].hasSuffix("3         1"), "\(lines)")
  }

  @Test func whatTheTableDoesNotShowOfTheUnitsIsTold() {
    var state = published()
    state.receive(event(.page) { $0.totals = Totals(pages: 1, items: 50, units: 19) })
    func spending(_ spent: Int) -> String? { HarvestTable.spending(state, .init(spent: spent, left: 1, untilReset: .zero)) }
    #expect(spending(20) == "By the ledger 20 units were spent meanwhile, also for what did not get done.")
    #expect(spending(19) == nil)
    state.receive(completed(0))
    #expect(spending(20) == nil, "a harvest that is complete may have had others beside it")
  }

  @Test func aReaderThatLeftIsTold() {
    var state = published()
    _ = accept(&state, "a", 0)
    #expect(HarvestTable.cutShort(state) == "The reader of the output left after 1 records; the harvest is not complete.")
    state.receive(event(.resolved) { $0.videoCount = 1636 })
    #expect(HarvestTable.cutShort(state).contains("after 1 of 1,636 records"))
  }

  @Test func aSmallTerminalKeepsTheTimeAndTheCounts() {
    var state = published()
    state.receive(
      event(.resolved) { event in
        event.title = "A channel with a long name"
        event.videoCount = 1636
      })
    for position in 0..<1234 { _ = accept(&state, "v", position) }
    let view = ProgressView(
      state: state, quota: .init(spent: 140, left: 9_860, untilReset: .zero), recordsPerSecond: 50, elapsed: .seconds(61))
    #expect(view.lines(columns: 80, rows: 24, isColoured: false).last == "1,234 records, 50/s · 140 units spent, 9,860 left · 1 min 1 s")
    #expect(view.lines(columns: 40, rows: 24, isColoured: false).last == "1,234 records, 50/s · 1 min 1 s")
    let tiny = view.lines(columns: 20, rows: 24, isColoured: false)
    #expect(tiny.first == "A chan… 1,234/1,636" && tiny.last == "1,234 records", "\(tiny)")
  }
}
