import Testing

@testable import Quota

@Suite(.timeLimit(.minutes(1)))
struct QuotaPolicyTests {
  @Test(arguments: [
    ("channels.list", Bucket.default), ("playlistItems.list", .default), ("videos.list", .default), ("playlists.list", .default),
    ("search.list", .search), ("videos.batchGetStats", .batchGetStats),
  ])
  func everyMethodHasItsBucket(method: String, bucket: Bucket) {
    #expect(CallCost.of(method) == CallCost(bucket: bucket, units: 1))
  }

  @Test func anUnknownMethodHasNoCost() { #expect(CallCost.of("videos.insert") == nil) }

  @Test func documentedLimitsAreTheDefaults() {
    #expect(Bucket.allCases.map { QuotaPolicy().limit($0) } == [10_000, 100, 10_000])
    #expect(QuotaPolicy().problem() == nil)
  }

  @Test(arguments: [
    (QuotaPolicy(limits: [.search: -1]), "search"), (QuotaPolicy(limits: [.default: 50_000_001]), "50000000"),
    (QuotaPolicy(burstPercent: 101), "101"), (QuotaPolicy(requestsPerMinute: 0), "1 to 60000"), (QuotaPolicy(reserve: 10_001), "10000"),
    (QuotaPolicy(reserve: -1), "-1"),
  ])
  func problemsNameTheValueAndWhatIsAllowed(policy: QuotaPolicy, part: String) {
    #expect(policy.problem()?.contains(part) == true)
  }

  @Test func noMinuteHoldsMoreCallsThanItsLimitForAnyLimit() {
    for requests in [1, 2, 3, 9, 10, 11, 19, 20, 59, 60, 100, 999, 1000, 59_999, 60_000] {
      let terms = QuotaPolicy(requestsPerMinute: requests).terms(for: .default)
      let interval = terms.requestInterval ?? 0
      let mostInAMinute = terms.requestBurst - 1 + (60_000_000 + interval - 1) / interval
      #expect(mostInAMinute <= requests)
      #expect(mostInAMinute * 100 >= requests * 89)
    }
  }

  @Test func termsOfAnImpossiblePolicyAreClamped() {
    let terms = QuotaPolicy(limits: [.default: .max], pacing: .even, burstPercent: 900, requestsPerMinute: -4, reserve: .max).terms(
      for: .default)
    #expect(terms.limit == 50_000_000)
    #expect(terms.usable == 0)
    #expect(terms.allowance == 0)
    #expect(terms.requestInterval == 60_000_000)
  }
}
