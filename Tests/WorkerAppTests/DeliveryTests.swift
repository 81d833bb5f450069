import Kafka
import Messages
import Pipeline
import TestSupport
import Testing

@testable import WorkerApp

@Suite("Deliveries", .timeLimit(.minutes(1)))
struct DeliveryTests {
  @Test func aCancelledDeliveryDoesNotWaitForABrokerThatIsAway() async throws {
    let configuration = KafkaConfiguration(bootstrapServers: "127.0.0.1:1")
    let member = try KafkaMember(
      configuration: configuration, group: "g", topics: ["t"], instanceID: nil, clientID: "c", commitInterval: .seconds(1), logger: .silent)
    let producer = try Producer(configuration: configuration, clientID: "p", logger: .silent)
    let delivery = AtLeastOnceDelivery(producer: producer, member: member, prefix: "", logger: .silent)
    let clock = ContinuousClock()
    let start = clock.now
    let task = Task { () -> DeliveryFailure? in
      do throws(DeliveryFailure) {
        try await delivery.deliver(DeliveryBatch(outputs: [OutgoingMessage(topic: .requestEvents, key: nil, value: [1], headers: [])]))
        return nil
      } catch { return error }
    }
    task.cancel()
    guard case .retriable = await task.value else {
      Issue.record("not retriable")
      return
    }
    #expect(clock.now - start < .seconds(20))
    await member.close()
    await delivery.close()
  }
}
