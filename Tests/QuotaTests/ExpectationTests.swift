import Quota
import Testing

struct ExpectationTests {
  private let seen = LedgerMemory(id: "x", sequence: 7, time: 100, clock: 90)
  private let day = QuotaDay(start: 0, end: 1000)

  @Test func anAnswerUnderAnEarlierNameIsNoEntryOfThisOne() {
    let before = Expectation()
    var expectation = Expectation.anything
    let granted = Reservation.granted(Grant(bucket: .search, cost: 1, day: day, remaining: 1, ledger: "x", time: 100))
    expectation.met(by: granted, seen, as: before.writer)
    expectation.entered(seen, as: before.writer)
    #expect(expectation.acceptsDoubt && expectation.written == nil && expectation.memory == nil)
    expectation.met(by: granted, seen, as: expectation.writer)
    #expect(!expectation.acceptsDoubt && expectation.written == seen)
  }

  @Test func manyStartsKeepTheLedgerSmallAndLatestEntriesInIt() {
    var ledger = Ledger(id: "x")
    for number in 0..<2000 {
      let isEntered = ledger.join("w\(number)", now: number)
      #expect(isEntered)
    }
    #expect(ledger.writers.count <= Ledger.mostWriters)
    #expect((1800..<2000).allSatisfy { ledger.writers["w\($0)"] != nil })
    var expectation = Expectation()
    expectation.entered(ledger.memory(at: 5), as: expectation.writer)
    ledger.writersSince = 2000
    #expect(Ledger.loss(of: ledger, against: expectation, today: QuotaDay(start: 0, end: 10_000), now: 2000) == nil)
    ledger.writersSince = 0
    #expect(Ledger.loss(of: ledger, against: expectation, today: QuotaDay(start: 0, end: 10_000), now: 2000)?.kind == .rolledBack)
  }
}
