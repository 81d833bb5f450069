import Quota
import Testing

@testable import TubelineCLI

@Suite("Plan and doctor", .timeLimit(.minutes(1)))
struct PlanAndDoctorTests {
  @Test(arguments: [
    (1636, nil, true, 33, 67), (1636, nil, false, 33, 34), (1636, 500, true, 10, 21), (0, nil, true, 1, 2), (50, nil, true, 1, 3),
    (51, nil, true, 2, 5), (20_500, nil, true, 400, 801),
  ])
  func pricesFollowTheCounts(videos: Int, limit: Int?, enriches: Bool, pages: Int, units: Int) {
    let terms = HarvestPlan.Terms(maxVideos: limit, enriches: enriches)
    let item = HarvestPlan.Item(name: "n", videos: videos, resolvingUnits: 1)
    #expect(item.pages(terms) == pages)
    #expect(item.units(terms) == units)
  }

  @Test func whatIsNotThereCostsTheLookUpOnly() {
    let item = HarvestPlan.Item(name: "n", problem: "not found", resolvingUnits: 2)
    #expect(item.units(HarvestPlan.Terms()) == 2)
  }

  @Test(arguments: [(100, 67, 1), (67, 67, 1), (66, 67, 2), (0, 10, 8), (0, 67, 2)] as [(Int, Int, Int)])
  func daysAreCountedFromToday(remaining: Int, daily: Int, days: Int) {
    let plan = HarvestPlan(items: [.init(name: "n", videos: 1636, resolvingUnits: 1)], terms: .init())
    #expect(plan.days(remaining: remaining, daily: daily) == days)
  }

  @Test func withoutDailyUnitsItIsNeverDone() {
    let plan = HarvestPlan(items: [.init(name: "n", videos: 1, resolvingUnits: 1)], terms: .init())
    #expect(plan.days(remaining: 0, daily: 0) == nil)
  }

  @Test func missingTopicsAndLongRetentionAreProblems() {
    var good = TopicInspection(name: "a", exists: true, partitions: 8)
    good.retention = 29 * 86_400_000
    var long = TopicInspection(name: "b", exists: true, partitions: 8)
    long.retention = -1
    let missing = TopicInspection(name: "c", exists: false)
    #expect(Checkup.topics([good]).allSatisfy { $0.isGood == true })
    #expect(Checkup.topics([good, missing]).map(\.isGood) == [false, true])
    #expect(Checkup.topics([good, long]).map(\.isGood) == [true, false])
    #expect(Checkup.topics([TopicInspection(name: "d", exists: true, partitions: 1)]).map(\.isGood) == [true, nil])
  }

  @Test(arguments: [(0.0, true), (59.0, true), (-61.0, false), (600.0, false)])
  func aClockThatIsOffByMoreThanAMinuteIsAProblem(skew: Double, isGood: Bool) {
    #expect(APICheck.clock(skew: skew).isGood == isGood)
  }

  @Test func datesOfHTTPAreRead() {
    #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT")?.timeIntervalSince1970 == 784_111_777)
    #expect(HTTPDate.parse("yesterday") == nil)
  }
}
