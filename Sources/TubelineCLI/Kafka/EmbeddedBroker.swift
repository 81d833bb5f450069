import Dispatch
import Kafka
import Messages

/// librdkafka's mock cluster with every topic of an installation.
enum EmbeddedBroker {
  static func start(partitions: Int, prefix: String = "") async throws -> MockCluster {
    let cluster = try MockCluster()
    for plan in Topic.all {
      try await onOwnThread { try cluster.createTopic(prefix + plan.topic.name, partitions: partitions) }
      // The mock cluster loses the wake-up of a request that follows the last one too closely, and then looks at it a second later.
      try await Task.sleep(for: .milliseconds(2))
    }
    return cluster
  }

  private static func onOwnThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }

  private static let queue = DispatchQueue(label: "tubeline.embedded-broker")
}
