import Foundation
import Quota
import Testing

@testable import WorkerApp

@Suite("Desired replicas", .timeLimit(.minutes(1)))
struct WorkersWantedTests {
  static let cases: [(WorkersWanted, Int)] = [
    (WorkersWanted(lag: [], retries: 0, concurrency: 16, units: 100), 0),
    (WorkersWanted(lag: [0, 0], retries: 0, concurrency: 16, units: 0), 0),
    (WorkersWanted(lag: [1, 0], retries: 0, concurrency: 16, units: 100), 1),
    (WorkersWanted(lag: [0, 0], retries: 3, concurrency: 16, units: 100), 1),
    (WorkersWanted(lag: [16, 0], retries: 0, concurrency: 16, units: 100), 1),
    (WorkersWanted(lag: [16, 1], retries: 0, concurrency: 16, units: 100), 2),
    (WorkersWanted(lag: [1000, 0, 0], retries: 0, concurrency: 16, units: 100), 1),
    (WorkersWanted(lag: [1000, 1000, 1000], retries: 0, concurrency: 16, units: 100), 3),
    (WorkersWanted(lag: [1000, 1000, 1000], retries: 0, concurrency: 16, units: 2), 2),
    (WorkersWanted(lag: [1000, 1000, 1000], retries: 0, concurrency: 16, units: 0), 1),
    (WorkersWanted(lag: [1000, 1000, 1000], retries: 0, concurrency: 16, units: -5), 1),
    (WorkersWanted(lag: [1000, 1000, 1000], retries: 0, concurrency: 16, units: nil), 3),
  ]

  @Test(arguments: cases)
  func theFormulaIsTheDocumentedOne(_ wanted: WorkersWanted, _ count: Int) { #expect(wanted.count == count) }

  private func status(_ bucket: Bucket, remaining: Int, isExhausted: Bool = false) -> BucketStatus {
    BucketStatus(
      bucket: bucket, spent: 0, limit: 100, remaining: remaining, resetsAt: Date(), isExhausted: isExhausted, drift: 0)
  }

  @Test func aReserveAndTheAPIsWordLeaveNothingToSpend() {
    let policy = QuotaPolicy(reserve: 30)
    #expect(WorkersWanted.units(status(.default, remaining: 30), policy: policy) == 0)
    #expect(WorkersWanted.units(status(.default, remaining: 50), policy: policy) == 20)
    #expect(WorkersWanted.units(status(.search, remaining: 30), policy: policy) == 30)
    #expect(WorkersWanted.units(status(.default, remaining: 50, isExhausted: true), policy: policy) == 0)
    #expect(WorkersWanted.units(nil, policy: policy) == nil)
  }
}
