import Messages

/// The CloudEvents ids of the last messages of one partition.
///
/// Passing a repetition over is safe only against messages before it in the partition, either of the same assignment or below the committed
/// offset: its own offset is committed only when their outputs are published.
struct RecentIDs: Sendable {
  private static let capacity = 1024

  // Hashes: a thousand ids of 64 bits do not collide.
  private var known: Set<Int> = []
  private var order: [Int] = []
  private var oldest = 0

  /// Notes the message. Returns whether it is a repetition.
  mutating func notes(_ message: ReceivedMessage) -> Bool {
    guard let id = message.ownID else { return false }
    var hasher = Hasher()
    hasher.combine(id)
    // A retry, at its place or behind others, and a replayed dead letter carry the id of their original, and are to be handled.
    hasher.combine(message.headers[HeaderName.attempt])
    hasher.combine(message.headers[HeaderName.failedAt])
    hasher.combine(message.headers[HeaderName.requeued])
    let hash = hasher.finalize()
    guard known.insert(hash).inserted else { return true }
    if order.count < Self.capacity {
      order.append(hash)
    } else {
      known.remove(order[oldest])
      order[oldest] = hash
      oldest = (oldest + 1) % Self.capacity
    }
    return false
  }
}
