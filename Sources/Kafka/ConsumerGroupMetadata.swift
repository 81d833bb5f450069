/// A consumer's membership at one moment: offsets that are sent with it are refused once the group has a newer generation.
public struct ConsumerGroupMetadata: Sendable {
  let native: GroupMetadata

  /// Rises with each rebalance; -1 where the library does not tell it.
  public var generation: Int32 { native.identity?.generation ?? -1 }
}
