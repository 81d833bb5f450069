import CLibrdkafka
import Synchronization

/// The queue of one assigned partition.
final class PartitionQueue: Sendable {
  let handle: QueueHandle
  private let stray = Mutex<[ConsumedRecord]>([])

  init(_ handle: QueueHandle) { self.handle = handle }

  func keepStray(_ record: ConsumedRecord) { stray.withLock { $0.append(record) } }

  func takeStray(upTo limit: Int) -> [ConsumedRecord] {
    stray.withLock { stray in
      defer { stray.removeFirst(min(limit, stray.count)) }
      return Array(stray.prefix(limit))
    }
  }

  /// Frees fetched messages at once: the library would keep them until the partition is assigned again.
  func discard() {
    while handle.withMessages(upTo: 512, { _ in }) > 0 {}
  }
}
