import FoundationEssentials
import JSON
import Messages
import Quota
import Testing

@testable import Kafka
@testable import Monitoring
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

  private func report(endsByDate: Bool, remaining: Int) -> PlanReport {
    let status = BucketStatus(
      bucket: .default, spent: 100 - remaining, limit: 100, remaining: remaining, resetsAt: Date(timeIntervalSince1970: 1_796_000_000),
      isExhausted: false, drift: 0)
    let terms = HarvestPlan.Terms(endsByDate: endsByDate)
    let plan = HarvestPlan(items: [.init(name: "n", videos: 1636, resolvingUnits: 1)], terms: terms)
    return PlanReport(plan: plan, spent: [.default: 1], status: status, daily: 100)
  }

  // Where a date ends a list cannot be told without reading it: the plan says that it is the most, and promises no more.
  @Test func aDateMakesThePlanAnUpperBound() {
    let enough = report(endsByDate: true, remaining: 90)
    #expect(enough.table(width: nil).contains("at most 67 units needed, 90 of 100 left today. Today's remainder suffices."))
    #expect(enough.table(width: nil).contains("--published-after"))
    #expect(enough.json["isUpperBound"] == true)
    let little = report(endsByDate: true, remaining: 10)
    #expect(little.table(width: nil).contains("Today's remainder may not suffice: done on day 2 at the latest"))
    #expect(little.json["units"]?["default"] == 67)
  }

  @Test func namesWithoutAPlanAreCountedWithTheirLookUps() {
    let items = [
      HarvestPlan.Item(name: "n", videos: 312, resolvingUnits: 1), HarvestPlan.Item(name: "no", problem: "not found", resolvingUnits: 2),
    ]
    let plan = HarvestPlan(items: items, terms: .init())
    let text = PlanReport(plan: plan, spent: [:], status: nil, daily: 100).table(width: nil)
    #expect(text.contains("17 units needed") && text.contains("1 of 2 names has no plan; what its look-up will cost is counted."))
  }

  @Test func withoutADateThePlanIsThePrice() {
    let text = report(endsByDate: false, remaining: 10).table(width: nil)
    #expect(text.contains("Bucket default: 67 units needed") && text.contains("does not suffice: done on day 2 (after"))
    #expect(report(endsByDate: false, remaining: 10).json["isUpperBound"] == false)
  }

  @Test func planTakesTheDateThatHarvestTakes() throws {
    let parsed = try PlanCommand.specification.parser.parse(["--published-after", "2026-01-31", "@Google"])
    #expect(try RequestFlags.options(parsed).publishedAfter?.timeIntervalSince1970 == 1_769_817_600)
  }

  @Test func missingTopicsAndLongRetentionAreProblems() {
    var good = TopicInspection(name: "a", exists: true, partitions: 8)
    good.retention = 29 * 86_400_000
    var long = TopicInspection(name: "b", exists: true, partitions: 8)
    long.retention = -1
    let missing = TopicInspection(name: "c", exists: false)
    #expect(Checkup.topics([good]).allSatisfy { $0.isGood == true })
    #expect(Checkup.topics([good, missing]).map(\.isGood) == [false, true, true])
    #expect(Checkup.topics([good, long]).map(\.isGood) == [true, true, false])
    #expect(Checkup.topics([TopicInspection(name: "d", exists: true, partitions: 1)]).map(\.isGood) == [true, true, nil])
    #expect(Checkup.topics([missing]).map(\.isGood) == [false])
  }

  @Test func topicsThatDifferInPartitionsAreNamed() {
    let topics = [("a", 8), ("b", 4), ("c", 8), ("d", 8), ("e", 12), ("f", 4)].map { name, partitions in
      TopicInspection(name: name, exists: true, partitions: partitions)
    }
    let finding = Checkup.topics(topics)[1]
    #expect(finding.check == "partitions")
    #expect(finding.detail.hasPrefix("not the same: 8 in 3 topics, 4 in b, f; 12 in e; "))
    #expect(Checkup.topics([topics[0], topics[2]])[1].detail == "8 in each topic")
  }

  @Test(arguments: [40, 60, 80, 100]) func findingsFitAndHangTogether(width: Int) {
    let detail = "No broker answers at localhost:9092. Is it running, and is KAFKA_BOOTSTRAP_SERVERS or --bootstrap-servers right?"
    let finding = Finding.problem(
      "broker", detail, mend: "start the cluster, or set KAFKA_BOOTSTRAP_SERVERS; for a try, run: tubeline broker")
    let text = finding.text(width: width)
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { TextWidth.of(String($0)) <= width }, "\(text)")
    #expect(lines[0].hasPrefix("PROBLEM  broker") && lines.dropFirst().allSatisfy { $0.hasPrefix("         ") }, "\(text)")
    let words = text.split { $0 == " " || $0.isNewline }.joined(separator: " ")
    #expect(words == "PROBLEM broker \(detail) mend: \(finding.remedy ?? "")")
    #expect(finding.text(width: nil).split(separator: "\n").count == 2)
  }

  @Test func theLibrarysOwnStateIsNotTold() {
    let line = "127.0.0.1:1/bootstrap: Connect to ipv4#127.0.0.1:1 failed: Connection refused"
    #expect(Complaints.withoutState("\(line) (after 0ms in state CONNECT, 1 identical error(s) suppressed)") == line)
    #expect(Complaints.withoutState("refused (see the log)") == "refused (see the log)")
  }

  @Test func waitingLettersAreNotCalledGood() {
    #expect(DeadLetterCheck.finding([(stage: .videos, letters: 4)]).isGood == nil)
    #expect(DeadLetterCheck.finding([]).isGood == true)
  }

  @Test func messagesThatNobodyTakesAreAProblem() {
    let finding = WorkerCheck.finding([(.search, 0, 1), (.channels, 2, 9), (.videos, 0, 0), (.playlists, 0, 3)])
    #expect(finding.isGood == false && finding.detail == "nobody works for search (1 message waits), playlists (3 messages wait)")
    #expect(finding.remedy == "start tubeline-search, tubeline-playlists")
  }

  @Test func stagesWithoutWorkAndWorkersAreNone() {
    #expect(WorkerCheck.finding([(.search, 0, 0)]).isGood == nil)
    let finding = WorkerCheck.finding([(.search, 0, 0), (.videos, 3, 7)])
    #expect(finding.isGood == true && finding.detail == "search 0, videos 3", "\(finding)")
  }

  @Test func whatIsNotDueDoesNotWait() {
    let retries = RecordCount(records: 3, isExact: true)
    #expect(WorkerCheck.waiting(Backlog(lag: RecordCount(records: 2, isExact: true), retries: retries, retriesNotDue: 2)) == 3)
    #expect(WorkerCheck.waiting(Backlog(retries: retries, retriesNotDue: 3)) == 0 && WorkerCheck.waiting(nil) == 0)
  }

  @Test func theBrokerIsDescribedByWhatTheClusterTells() {
    let brokers = [1, 2].map { ClusterDescription.Broker(id: $0, host: "kafka\($0)", port: 9092) }
    func detail(_ clusterID: String?, _ controller: Int32?, _ brokers: [ClusterDescription.Broker]) -> String {
      Checkup.broker(ClusterDescription(clusterID: clusterID, controllerID: controller, brokers: brokers, topics: []), "kafka:9092").detail
    }
    #expect(detail("Nk1", 2, brokers) == "kafka:9092: 2 brokers, controller 2 (kafka2:9092), cluster Nk1")
    #expect(detail(nil, nil, [brokers[0]]) == "kafka:9092: 1 broker, cluster without id")
    #expect(detail("mockCluster1", 7, brokers).hasSuffix("2 brokers, cluster mockCluster1, the embedded broker (nothing is kept)"))
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
