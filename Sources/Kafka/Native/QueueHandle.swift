import CLibrdkafka

/// The one owner of an rd_kafka_queue_t; to be released before its client is destroyed.
final class QueueHandle: @unchecked Sendable {
  // because rd_kafka_queue_t is thread-safe and lives as long as this object
  private let pointer: OpaquePointer

  /// Takes over a reference that a function of the library returned.
  init?(consuming pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  deinit {
    rd_kafka_queue_cb_event_enable(pointer, nil, nil)
    rd_kafka_queue_destroy(pointer)
  }

  func withPointer<R>(_ body: (OpaquePointer) throws -> R) rethrows -> R { try body(pointer) }

  /// The callback fires when the queue turns from empty to filled: drain until empty after enabling it.
  func enableWake(context: UnsafeMutableRawPointer) { rd_kafka_queue_cb_event_enable(pointer, forwardWake, context) }

  /// The next event, without waiting or after at most some milliseconds; the body must not keep it.
  func withNextEvent(timeout: Int32 = 0, _ body: (OpaquePointer) -> Void) -> Bool {
    guard let event = rd_kafka_queue_poll(pointer, timeout) else { return false }
    body(event)
    rd_kafka_event_destroy(event)
    return true
  }

  /// Takes messages off the queue without waiting; the body must not keep them. Returns how many there were.
  func withMessages(upTo limit: Int, _ body: (UnsafeMutablePointer<rd_kafka_message_t>) -> Void) -> Int {
    withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<rd_kafka_message_t>?.self, capacity: limit) { buffer in
      let count = max(0, rd_kafka_consume_batch_queue(pointer, 0, buffer.baseAddress, limit))
      for case let message? in buffer[..<count] {
        body(message)
        rd_kafka_message_destroy(message)
      }
      return count
    }
  }
}
