import Kafka
import Messages
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(1)))
struct KafkaPublisherTests {
  private static let produce: Int16 = 0

  @Test func whatMayHaveBeenTakenIsToldFromWhatWasNot() async throws {
    let cluster = try MockCluster()
    try cluster.createTopic("channel-requests", partitions: 1)
    let publisher = KafkaPublisher(
      KafkaConfiguration(bootstrapServers: cluster.bootstrapServers), prefix: "", patience: .seconds(1), logger: .silent)
    var request = ChannelRequest(target: .channel("@Google"), options: RequestOptions(), key: "@google")
    request.requestID = "mine"
    try await publisher.publish(.channel(request))
    // The record is written, and the answer comes too late.
    try cluster.delayNext(apiKey: Self.produce, by: .seconds(4))
    let uncertain = await #expect(throws: Problem.self) { try await publisher.publish(.channel(request)) }
    #expect(uncertain?.code == .unavailable && uncertain?.requestID == "mine")
    try cluster.brokerDown()
    let refused = await #expect(throws: Problem.self) { try await publisher.publish(.channel(request)) }
    #expect(refused?.code == .unavailable && refused?.requestID == nil)
    await publisher.close()
    await cluster.close()
  }
}
