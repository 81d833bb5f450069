import Kafka
import Telemetry
import Testing

@testable import Monitoring

@Suite("Lag of a group", .timeLimit(.minutes(1)))
struct LagReaderTests {
  private func publish(_ count: Int, _ cluster: MockCluster, _ kafka: KafkaConfiguration) async throws {
    let producer = try Producer(configuration: kafka, clientID: "test", logger: .silent)
    try await producer.send((0..<count).map { ProducerRecord(topic: "in", key: Array("\($0)".utf8), value: [0x31], headers: []) })
    await producer.close(flushTimeout: .seconds(1))
  }

  private func commit(_ offsets: [Kafka.TopicPartition: Int64], _ kafka: KafkaConfiguration) async throws {
    let consumer = try Consumer(configuration: kafka, groupID: "g", clientID: "test", logger: .silent, wake: {})
    try await consumer.commit(offsets)
    await consumer.close()
  }

  @Test func itIsWhatNobodyHasCommittedYet() async throws {
    let cluster = try MockCluster()
    try cluster.createTopic("in", partitions: 2)
    let kafka = KafkaConfiguration(bootstrapServers: cluster.bootstrapServers)
    let reader = LagReader(kafka, group: "g", clientID: "test", hasMarkers: true, logger: .silent)
    #expect(try await reader.read(["in", "missing"]).values.reduce(0, +) == 0)
    try await publish(50, cluster, kafka)
    let lag = try await reader.read(["in"])
    #expect(lag.count == 2)
    #expect(lag.values.reduce(0, +) == 50)
    // A short lag is counted although half of the offsets of transactions would be markers.
    try await commit(lag.mapValues { Int64($0 - 3) }, kafka)
    #expect(try await reader.read(["in"]).values.allSatisfy { $0 == 3 })
    try await commit(lag.mapValues(Int64.init), kafka)
    #expect(try await reader.read(["in"]).values.allSatisfy { $0 == 0 })
    await reader.close()
    await cluster.close()
  }

  @Test func aLongLagIsEstimatedByWhatWasRead() async throws {
    let cluster = try MockCluster()
    try cluster.createTopic("in", partitions: 1)
    let kafka = KafkaConfiguration(bootstrapServers: cluster.bootstrapServers)
    try await publish(400, cluster, kafka)
    let partition = Kafka.TopicPartition(topic: "in", partition: 0)
    let reader = LagReader(kafka, group: "g", clientID: "test", hasMarkers: true, logger: .silent)
    #expect(try await reader.read(["in"]) == [partition: 200])
    try await commit([partition: 350], kafka)
    #expect(try await reader.read(["in"]) == [partition: 50])
    // What was read last held no markers.
    try await commit([partition: 100], kafka)
    #expect(try await reader.read(["in"]) == [partition: 300])
    await reader.close()
    await cluster.close()
  }
}
