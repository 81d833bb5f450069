public import Telemetry

/// A member of a consumer group, driven by its owner: `wake` says that there may be something, `poll` and `take` fetch it.
///
/// Records wait in a queue per partition until they are taken, so not taking is the back-pressure. Closing is explicit: `close()`.
public final class Consumer: Sendable {
  let handle: ConsumerHandle

  /// `wake` is called by threads of the library, under a lock: it may only signal. `instanceID` makes the membership static.
  public init(
    configuration: KafkaConfiguration, groupID: String, instanceID: String? = nil, clientID: String, logger: Logger,
    wake: @escaping @Sendable () -> Void
  ) throws {
    handle = try ConsumerHandle(
      groupID: groupID, instanceID: instanceID, configuration: configuration, clientID: clientID, logger: logger, wake: wake)
  }

  /// Joins the group; the partitions come as events. A topic that starts with `^` is a regular expression.
  public func subscribe(_ topics: [String]) throws { try handle.subscribe(topics) }

  /// What happened since the last call, without waiting. To be called at least every few seconds, or the group takes the partitions away
  /// after `max.poll.interval.ms`.
  public func poll() -> [ConsumerEvent] { handle.poll() }

  /// Up to `limit` records in offset order, without waiting. As many as asked: come again, no wake-up will follow.
  public func take(from partition: TopicPartition, upTo limit: Int) -> [ConsumedRecord] { handle.take(from: partition, upTo: limit) }

  /// Adds partitions to the assignment, whether given by the group or chosen without one.
  public func assign(_ positions: [TopicPartition: StartPosition]) async throws { try await handle.assign(positions) }

  /// Removes partitions from the assignment; records of theirs not yet taken are dropped.
  public func unassign(_ partitions: [TopicPartition]) async throws { try await handle.unassign(partitions) }

  /// Stops fetching; what was fetched already may be fetched again after `resume`.
  public func pause(_ partitions: [TopicPartition]) throws { try handle.pause(partitions) }

  public func resume(_ partitions: [TopicPartition]) throws { try handle.resume(partitions) }

  /// The present membership, for `TransactionalProducer.sendOffsets`. Throws `UNKNOWN_MEMBER_ID` while there is none.
  public func groupMetadata() throws -> ConsumerGroupMetadata { ConsumerGroupMetadata(native: try handle.groupMetadata()) }

  /// Leaves the group (a static member stays in it until its session ends) and frees everything. Later calls return nothing or throw.
  ///
  /// Returns after the timeout even when the broker has not answered; what is left of the client then ends in the background.
  public func close(timeout: Duration = .seconds(3)) async { await handle.close(timeout: timeout.milliseconds) }
}
