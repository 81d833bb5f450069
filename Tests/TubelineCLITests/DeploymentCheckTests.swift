import Kafka
import Messages
import Telemetry
import Testing
import WorkerApp

@testable import TubelineCLI

@Suite("Checks of a deployment", .timeLimit(.minutes(1)))
struct DeploymentCheckTests {
  private func topic(_ topic: Topic, cleanup: String? = nil, replicas: Int? = nil, minInSync: Int? = nil) -> TopicInspection {
    var state = TopicInspection(name: topic.name, exists: true, partitions: 8)
    state.plan = Topic.all.first { $0.topic == topic }
    state.cleanup = cleanup
    state.replicas = replicas
    state.minInSync = minInSync
    return state
  }

  @Test func topicsHaveThePoliciesOfTheTable() {
    let good = topic(.videoRecords, cleanup: "delete,compact")
    #expect(DeploymentCheck.policies([good, topic(.channelRequests, cleanup: "delete")]).map(\.isGood) == [true])
    let wrong = DeploymentCheck.policies([good, topic(.channelRequests, cleanup: "compact")])
    #expect(wrong.map(\.isGood) == [false] && wrong[0].detail == "channel-requests is compact and not delete")
    #expect(DeploymentCheck.policies([topic(.videoRecords)]).isEmpty)
  }

  static let replications: [(replicas: Int, minInSync: Int?, brokers: Int, isGood: Bool)] = [
    (1, 1, 1, true), (1, nil, 1, true), (3, 2, 3, true), (3, 1, 5, true), (2, 1, 2, true), (1, 1, 3, false), (2, 1, 3, false),
    (1, 2, 1, false), (3, 3, 3, false),
  ]

  @Test(arguments: replications)
  func copiesFitTheBrokers(replicas: Int, minInSync: Int?, brokers: Int, isGood: Bool) {
    let topics = [topic(.videoRecords, replicas: replicas, minInSync: minInSync)]
    let findings = DeploymentCheck.replication(topics, brokers: brokers, isEmbedded: false)
    #expect(findings.map(\.isGood) == [isGood], "\(findings)")
    #expect(DeploymentCheck.replication(topics, brokers: brokers, isEmbedded: true).isEmpty)
  }

  @Test func theEmbeddedBrokerKeepsNoTransactions() {
    #expect(DeploymentCheck.guarantee(.exactlyOnce, isEmbedded: true).isGood == false)
    #expect(DeploymentCheck.guarantee(.atLeastOnce, isEmbedded: true).isGood == true)
    #expect(DeploymentCheck.guarantee(.exactlyOnce, isEmbedded: false).isGood == true)
  }

  @Test func aFileIsNoLedgerForSeveralHosts() {
    #expect(DeploymentCheck.ledger("sqlite:///var/lib/quota.db", hosts: ["10.0.0.1", "10.0.0.2"]).isGood == false)
    #expect(DeploymentCheck.ledger("sqlite:///var/lib/quota.db", hosts: ["10.0.0.1"]).isGood == true)
    #expect(DeploymentCheck.ledger("redis://redis:6379/0", hosts: ["10.0.0.1", "10.0.0.2"]).isGood == true)
  }

  @Test(arguments: [(200, true), (401, false), (404, false), (415, false), (503, false)])
  func theCollectorsAnswerIsJudged(status: Int, isGood: Bool) {
    #expect(CollectorCheck.finding(status, "http://c").isGood == isGood)
  }
}
