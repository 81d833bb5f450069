import Foundation
import Messages
import Testing

@testable import Quota
@testable import WorkerApp

@Suite struct QuotaWaitTests {
  @Test func callsAndListingsThatWaitAreTold() {
    var usedUp = QuotaGateState(limit: 10_000)
    usedUp.waiting = 3
    usedUp.reason = .usedUp
    usedUp.until = Date(timeIntervalSince1970: 1_796_025_600)
    // Units are being taken for it: nothing to tell.
    var busy = QuotaGateState(limit: 100)
    busy.waiting = 1
    let waits = WorkerReport.QuotaWait.all([.search: busy, .default: usedUp], listings: 2)
    #expect(
      waits == [
        WorkerReport.QuotaWait(bucket: "default", calls: 3, reason: "usedUp", until: "2026-11-30T08:00:00.000Z"),
        WorkerReport.QuotaWait(bucket: "watermarks", calls: 2, reason: "storeUnreachable"),
      ])
    #expect(WorkerReport.QuotaWait.all([.search: QuotaGateState(limit: 100)], listings: 0).isEmpty)
  }
}
