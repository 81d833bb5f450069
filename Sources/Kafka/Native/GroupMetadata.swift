import CLibrdkafka

/// What identifies a member and its generation, so that a transaction of a zombie is fenced.
final class GroupMetadata: @unchecked Sendable {
  // because rd_kafka_consumer_group_metadata_t is never changed after its creation
  private let pointer: OpaquePointer

  init?(consuming pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  deinit { rd_kafka_consumer_group_metadata_destroy(pointer) }

  func withPointer<R>(_ body: (OpaquePointer) throws -> R) rethrows -> R { try body(pointer) }
}
