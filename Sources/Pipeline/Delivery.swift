public import Messages

/// Publishes outputs and makes the offsets of their inputs the group's position. The two guarantees are its two implementations.
public protocol Delivery: Sendable {
  /// Returns when the outputs are published in order and the offsets will not be forgotten before them.
  ///
  /// Its task is cancelled at the end of the shutdown's grace: it ends soon then, with any result.
  func deliver(_ batch: DeliveryBatch) async throws(DeliveryFailure)
  /// Commits what `deliver` left uncommitted. Called before partitions are let go and at the end.
  func settle() async throws(DeliveryFailure)
  func close() async
}

/// Outputs in order, and for each partition the offset to read next.
public struct DeliveryBatch: Sendable {
  public var outputs: [OutgoingMessage]
  public var offsets: [TopicPartition: Int64]

  public init(outputs: [OutgoingMessage] = [], offsets: [TopicPartition: Int64] = [:]) {
    self.outputs = outputs
    self.offsets = offsets
  }
}

public enum DeliveryFailure: Error, Sendable, Equatable {
  /// Nothing is known to be published: deliver the same again.
  case retriable(String)
  /// The broker refuses this output for its size; nothing of a transaction was published.
  case tooLarge(output: Int, String)
  /// Some outputs, by index, are published, and the rest is not, because of this.
  indirect case partial(published: [Int], DeliveryFailure)
  /// The group has a newer generation, and nothing was published: the events of the membership tell what belongs to another worker now;
  /// the rest is delivered again.
  case stale(String)
  /// This process can publish no more: another has taken its place (fenced), or the producer failed for good.
  case fatal(String)
}
