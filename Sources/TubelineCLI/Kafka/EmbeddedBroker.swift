import Dispatch
import Kafka
import Messages
import Synchronization

/// librdkafka's mock cluster with every topic of an installation.
enum EmbeddedBroker {
  static func start(partitions: Int, prefix: String = "") async throws -> MockCluster {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "tubeline.embedded-broker").async {
        continuation.resume(with: Result { try make(partitions: partitions, prefix: prefix) })
      }
    }
  }

  // The mock cluster looks at its requests every 150 ms or so: all topics at once wait only once.
  private static func make(partitions: Int, prefix: String) throws -> MockCluster {
    let cluster = try MockCluster()
    let topics = Topic.all.map { prefix + $0.topic.name }
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: topics.count) { index in
      do { try cluster.createTopic(topics[index], partitions: partitions) } catch {
        failure.withLock { $0 = error }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    return cluster
  }

  /// Whether this cluster is a mock cluster: it answers no admin requests, and waiting for its controller takes until the timeout.
  static func isServing(_ cluster: ClusterDescription) -> Bool { cluster.clusterID?.hasPrefix("mockCluster") == true }
}
